import type { JobView } from '@telecine/contract/wire/job.ts';
import { table } from './format.ts';

type Measurements = NonNullable<JobView['measurements']>;

interface Shown {
  /** The settings of each measurement, by its name. */
  readonly settings?: object | undefined;
  /** How many entries of a list are shown. Default: all. */
  readonly most?: number;
}

/** Formats the results of an analysis. Each measurement has a line, followed by the parts or times that it found. */
export const showMeasurements = (
  measurements: Measurements,
  { settings = {}, most = 10 }: Shown = {},
): readonly string[] => {
  const used = settings as Readonly<Record<string, object | undefined>>;
  const shown = Object.entries(measurements).map(([name, result]) => ({ name, ...described(name, result) }));
  const lines = table(shown.map(({ name, summary }) => [name, summary + settingsText(used[name])]));
  return shown.flatMap(({ list }, index) => [lines[index] ?? '', ...shortened(list, most).map((line) => `  ${line}`)]);
};

/** Formats the settings of a measurement: ` (noiseDb -60, minSeconds 2)`. Returns '' without settings. */
const settingsText = (used: object | undefined): string =>
  used === undefined
    ? ''
    : ` (${Object.entries(used)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')})`;

/** Returns the first entries of a list, and a text with the number of further entries. */
const shortened = (list: readonly string[], most: number): readonly string[] =>
  list.length <= most
    ? list
    : [...list.slice(0, most), `… and ${list.length - most} more: --all prints them, and --json has them`];

interface Described {
  readonly summary: string;
  readonly list: readonly string[];
}

function described(name: string, result: unknown): Described {
  const writer = WRITERS[name as keyof Measurements] as ((value: unknown) => string | Described) | undefined;
  const text = writer?.(result) ?? JSON.stringify(result);
  return typeof text === 'string' ? { summary: text, list: [] } : text;
}

const level = (value: number | null | undefined, unit: string, none: string): string =>
  value === null || value === undefined ? none : `${value} ${unit}`;
const seconds = (value: number): string => `${value} s`;

type Intervals = NonNullable<Measurements['silence']>;

const intervals = ({ count, totalSeconds, intervals: found }: Intervals): Described => ({
  summary: count === 0 ? 'none' : `${count} ${count === 1 ? 'part' : 'parts'}, ${totalSeconds} s in all`,
  list: found.map(({ start, end }) => `${seconds(start)} to ${seconds(end)}`),
});

const lostParts = ({ video, audio }: NonNullable<Measurements['errors']>): readonly string[] => [
  ...(video?.intervals ?? []).map(({ start, end }) => `video  ${seconds(start)} to ${seconds(end)}`),
  ...(audio?.intervals ?? []).map(({ start, end }) => `audio  ${seconds(start)} to ${seconds(end)}`),
];

const quality = ({ mean, min, minAt }: { mean: number; min: number; minAt: number }, unit = ''): string =>
  `${mean}${unit} on average, least ${min}${unit} at ${seconds(minAt)}`;

const kilobits = (rate: number): string => `${Math.round(rate / 1000)} kb/s`;

const WRITERS: {
  readonly [K in keyof Required<Measurements>]: (value: NonNullable<Measurements[K]> | null) => string | Described;
} = {
  loudness: (it) =>
    it === null
      ? 'none'
      : `${level(it.integratedLufs, 'LUFS', 'silence')}, range ${it.rangeLu} LU, true peak ${level(it.truePeakDbtp, 'dBTP', 'none')}`,
  volume: (it) => `mean ${level(it?.meanDb, 'dBFS', 'silence')}, peak ${level(it?.peakDb, 'dBFS', 'silence')}`,
  silence: (it) => (it === null ? 'none' : intervals(it)),
  black: (it) => (it === null ? 'none' : intervals(it)),
  freeze: (it) => (it === null ? 'none' : intervals(it)),
  scenes: (it) => ({
    summary: `${it?.count ?? 0} changes`,
    list: (it?.changes ?? []).map(({ at, score }) => `${seconds(at)}  score ${score}`),
  }),
  crop: (it) =>
    it === null ? 'the whole image is black' : `${it.width}×${it.height} at ${it.x},${it.y}: ${it.filter}`,
  interlacing: (it) =>
    it === null
      ? 'undetermined'
      : `${it.verdict} (frames: ${it.progressive} progressive, ${it.topFieldFirst} top field first, ${it.bottomFieldFirst} bottom field first, ${it.undetermined} undetermined)`,
  duplicates: (it) => ({
    summary: `${it?.duplicates ?? 0} of ${it?.frames ?? 0} frames`,
    list: (it?.at ?? []).map(seconds),
  }),
  bitrate: (it) =>
    it === null ? 'none' : `${kilobits(it.mean)} on average, most ${kilobits(it.max)} at ${seconds(it.maxAt)}`,
  keyframes: (it) =>
    it === null ? 'none' : `${it.count}, ${it.meanSpacing} s apart on average, ${it.maxSpacing} s at most`,
  errors: (it) => ({ summary: it?.message ?? 'none', list: it === null ? [] : lostParts(it) }),
  psnr: (it) => (it === null ? 'all frames are equal' : quality(it, ' dB')),
  ssim: (it) => (it === null ? 'none' : quality(it)),
  xpsnr: (it) => `y ${level(it?.y, 'dB', 'equal')}, u ${level(it?.u, 'dB', 'equal')}, v ${level(it?.v, 'dB', 'equal')}`,
  vmaf: (it) => (it === null ? 'none' : `${it.mean} on average, least ${it.min}`),
};
