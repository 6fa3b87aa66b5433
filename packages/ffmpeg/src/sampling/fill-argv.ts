import type { Plan } from '@telecine/contract/domain/plan.ts';
import { QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import type { ChosenBySamples, Comparison, PlannedSamples, SizedPoint } from '@telecine/contract/domain/sampling.ts';
import type { Candidate } from './choosers/curve.ts';
import { peakOf } from './choosers/ladder.ts';
import type { Sample } from './choosers/samples.ts';

type Placeholder = Exclude<keyof typeof QUALITY_PLACEHOLDERS, 'number'>;

export type FilledValues = Readonly<Partial<Record<Placeholder, string | number>>>;

/** The options whose value may be a placeholder. Elsewhere, such as in a title, the same word is the client's. */
const FILLED = /^-(?:crf|cq|qp|maxrate|bufsize|ss|t|var_stream_map)(?::v(?::\w+)?)?$/;

/** The options of a filtergraph that may have placeholders. */
const FILTERS = /^-filter(?::[vV].*)?$/;

/** Replaces the placeholders of an argv that have a value. */
export function fillArgv(argv: readonly string[], values: FilledValues): readonly string[] {
  const filled = (Object.keys(values) as Placeholder[]).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[QUALITY_PLACEHOLDERS[name], String(value)] as const];
  });
  const words = new Map<string, string>(filled);
  // A graph may draw any text of the client.
  const inGraphs = filled.filter(([name]) => name !== QUALITY_PLACEHOLDERS.value);
  return argv.map((word, at) => {
    const option = argv[at - 1] ?? '';
    if (FILTERS.test(option)) return inGraphs.reduce((graph, [name, value]) => graph.replaceAll(name, value), word);
    return FILLED.test(option) ? (words.get(word) ?? word) : word;
  });
}

/** The plan with a frame size that samples let choose. */
export function withChosen({ frameSize: _, ...plan }: Plan, chosen: ChosenBySamples): Plan {
  return { ...plan, passes: plan.passes.map((argv) => withChosenArgv(argv, chosen)), chosen };
}

/** Puts what samples let choose into an argv. */
export const withChosenArgv = (argv: readonly string[], { frameSize, quality }: ChosenBySamples): readonly string[] =>
  fillArgv(argv, {
    ...(frameSize && { width: frameSize.width, height: frameSize.height }),
    ...(quality && { value: quality.value }),
  });

const { number: NUMBER } = QUALITY_PLACEHOLDERS;
const NUMBERED = new RegExp(`^(-[\\w-]+:v:|file:pass/sample-)${NUMBER}`);
/** In a comparison, the name of the output may have the same word. */
const NUMBERED_IN_GRAPH = new RegExp(`(quality-[a-z]+|pass/(?:sample|scores)-)${NUMBER}`, 'g');

/** Puts the number of a rung or of a sample into the names of options and the scratch file. */
export const numbered = (argv: readonly string[], number: number): readonly string[] =>
  argv.map((word) => word.replace(NUMBERED, `$1${number}`));

/** The arguments of the rungs of a ladder, which have those of one rung in common. */
export const rungArgs = (
  one: readonly string[],
  rungs: readonly SizedPoint[],
  segmentSeconds: number,
): readonly string[] =>
  rungs.flatMap(({ value, width, height, bitsPerSecond }, number) =>
    fillArgv(numbered(one, number), { value, width, height, ...peakOf({ bitsPerSecond }, segmentSeconds) }),
  );

/** Rounds to the precision of ffmpeg. */
const seconds6 = (seconds: number): number => Number(seconds.toFixed(6));

/** The part of the inputs that is a sample. */
export const timesOf = ({ start, seconds }: Pick<Sample, 'start' | 'seconds'>): FilledValues => ({
  start: seconds6(start),
  seconds: seconds6(seconds),
});

/** Returns the argv that encodes a sample with each of the candidates. */
export const encodeArgv = (
  { encode }: Pick<PlannedSamples, 'encode'>,
  sample: Pick<Sample, 'start' | 'seconds'>,
  candidates: readonly Candidate[],
): readonly string[] => [
  ...fillArgv(encode.start, timesOf(sample)),
  ...candidates.flatMap(({ value, size }, number) => fillArgv(numbered(encode.each, number), { value, ...size })),
];

/** How the frames of a video and its source are paired. */
export interface Pairing {
  /** Frames per second of the encoded video. */
  readonly fps: number;
  /** How many frames of the source the encoder got. */
  readonly sourceFrames: number;
  /** True if no frame was dropped or repeated, so that the numbers of the frames tell which belong together. */
  readonly hasAllFrames: boolean;
  /** True if frames were repeated, as at the start of a video that begins later than the audio. */
  readonly hasRepeatedFrames: boolean;
}

/**
 * Returns the argv that compares encoded videos with their source. Frames are paired by their numbers: containers round times, and a pair of
 * different frames would have a low score. If ffmpeg dropped or repeated frames to keep the frame rate, they are paired by time, with half a frame of
 * tolerance.
 *
 * @param count The number of encoded videos.
 * @param shift By how many seconds the times of the encoded video are later than those of its source. Absent: both begin with the same frame.
 */
export function compareArgv(
  { start, source, each, end }: Comparison,
  count: number,
  { fps, sourceFrames, hasAllFrames, hasRepeatedFrames }: Pairing,
  values: FilledValues = {},
  shift?: number,
): readonly string[] {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const labels = (name: string): string => numbers.map((number) => `[quality-${name}${number}]`).join('');
  // A graph for one stream has one open end. ffmpeg 7 aborts if another one leads to a `nullsink` and outlasts the input.
  const joined = count === 1 ? 'null' : `streamselect=inputs=${count}:map=0`;
  const graph = [
    source,
    `[quality-reference]split=outputs=${count}${labels('reference')}`,
    ...numbers.map((number) => each.replaceAll(NUMBERED_IN_GRAPH, `$1${number}`)),
    `${labels('compared')}${joined}`,
  ].join(';');
  const frameRate = Math.max(1, Math.round(fps));
  const byNumber = `N/(${frameRate}*TB)`;
  const [referenceTime, encodedTime] = hasAllFrames
    ? [byNumber, byNumber]
    : hasRepeatedFrames && shift !== undefined
      ? // The first frame may be a repeated one, so start times do not pair frames. After a repeated one, frames are written up to half a frame late.
        [`PTS-${(0.25 / fps).toFixed(6)}/TB`, `PTS-STARTPTS-(${shift})/TB`]
      : [`PTS-STARTPTS-${(0.5 / fps).toFixed(6)}/TB`, 'PTS-STARTPTS'];
  return fillArgv([...start, '-filter:v', graph, ...end], {
    ...{ ...values, sourceFrames, referenceTime, encodedTime, frameRate },
  });
}
