import type { analysisSpec, interval, measurementsSchema } from '../wire/analysis.ts';
import type { settings } from '../wire/measurement-settings.ts';
import type { Shape } from '../wire/shape.ts';

/** What an analysis can measure. */
export const MEASUREMENTS = [
  'loudness',
  'volume',
  'silence',
  'black',
  'freeze',
  'scenes',
  'crop',
  'interlacing',
  'duplicates',
  'bitrate',
  'keyframes',
  'errors',
  'psnr',
  'ssim',
  'xpsnr',
  'vmaf',
] as const;

export type Measurement = (typeof MEASUREMENTS)[number];

/** Measurements that compare the input with a reference. */
export const COMPARISONS = ['psnr', 'ssim', 'xpsnr', 'vmaf'] as const satisfies readonly Measurement[];

export type Comparison = (typeof COMPARISONS)[number];

export const isComparison = (measurement: Measurement): measurement is Comparison =>
  (COMPARISONS as readonly Measurement[]).includes(measurement);

const SOUND: ReadonlySet<Measurement> = new Set(['loudness', 'volume', 'silence']);
const ALL_KINDS: ReadonlySet<Measurement> = new Set(['bitrate', 'errors']);

/** The kind of the streams that a measurement is about. undefined: of all kinds. */
export const measuredKind = (measurement: Measurement): 'audio' | 'video' | undefined =>
  ALL_KINDS.has(measurement) ? undefined : SOUND.has(measurement) ? 'audio' : 'video';

/** The settings of measurements. */
export type AnalysisSettings = Shape<typeof settings>;

/** The settings that a request leaves out. */
const DEFAULT_SETTINGS = {
  silence: { noiseDb: -60, minSeconds: 2 },
  black: { minSeconds: 2, share: 0.98, pixel: 0.1 },
  freeze: { noiseDb: -60, minSeconds: 2 },
  scenes: { threshold: 10 },
  // That of cropdetect: 24 of 255.
  crop: { limit: 0.0941176, round: 2 },
  bitrate: { intervalSeconds: 1 },
} as const satisfies { readonly [K in keyof AnalysisSettings]: Required<AnalysisSettings[K]> };

type AllSettings = { readonly [K in keyof AnalysisSettings]-?: Required<NonNullable<AnalysisSettings[K]>> };

/** All settings of an analysis: those of its request, and the defaults. */
export const allSettings = ({ settings = {} }: Pick<AnalysisSpec, 'settings'>): AllSettings => ({
  silence: { ...DEFAULT_SETTINGS.silence, ...settings.silence },
  black: { ...DEFAULT_SETTINGS.black, ...settings.black },
  freeze: { ...DEFAULT_SETTINGS.freeze, ...settings.freeze },
  scenes: { ...DEFAULT_SETTINGS.scenes, ...settings.scenes },
  crop: { ...DEFAULT_SETTINGS.crop, ...settings.crop },
  bitrate: { ...DEFAULT_SETTINGS.bitrate, ...settings.bitrate },
});

/** The settings that an analysis uses, those of what it measures. undefined if it has none. */
export function usedSettings({ measure, settings }: AnalysisSpec): AnalysisSettings | undefined {
  const all = allSettings(settings === undefined ? {} : { settings });
  const used = measure.filter((one): one is keyof AllSettings & Measurement => Object.hasOwn(all, one));
  return used.length === 0 ? undefined : Object.fromEntries(used.map((one) => [one, all[one]]));
}

/** What an analysis measures, and of which part of its input. `ss` and `t` apply to the reference too. */
export interface AnalysisSpec extends Shape<typeof analysisSpec> {
  /** How much longer the picture is than the sound, in seconds, if what follows the sound is to count as silence. Requests cannot send it. */
  readonly silentTail?: number;
}

/** The most entries of a list that are kept. The totals beside it count all. */
export const MAX_LISTED = 20_000;

/** The entries of a list that stand in the record of the job. The others are read in pages. */
export const FIRST_LISTED = 1000;

/** A part of the input, in seconds from its start. */
export type Interval = Shape<typeof interval>;

/** Parts of the input that a measurement found. In a job, there are at most `MAX_LISTED` of them, and no cursor. */
export type Intervals = NonNullable<Measurements['silence']>;

/**
 * A damaged part of the picture. `wrongUntil` is absent if it is `end`. The pictures before it are decoded without an error, but may be
 * drawn from lost ones.
 */
export type DamagedInterval = DamagedIntervals['intervals'][number];

/** Damaged parts of the picture. */
export type DamagedIntervals = NonNullable<NonNullable<Measurements['errors']>['video']>;

/**
 * `intact`: no error. `doubtful`: errors, but no picture and no sound is lost. `damaged`: some are. `cut off`: the data ends before
 * the header says. `empty`: no frame at all.
 */
export const ERROR_VERDICTS = ['intact', 'doubtful', 'damaged', 'cut off', 'empty'] as const;

export type ErrorVerdict = (typeof ERROR_VERDICTS)[number];

/**
 * The results of an analysis, one member for each measurement. Times are seconds from the start of the input. Lists have at most
 * `MAX_LISTED` entries, and no cursor: views have both otherwise.
 */
export type Measurements = Shape<typeof measurementsSchema>;
