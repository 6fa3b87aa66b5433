import type { ForcedKeyFrames, FrameRateMode, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { type ArgvOption, mapsOf } from '../plan/request/argv-option.ts';
import { isImageFile } from '../plan/request/format-names.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import { quoted } from '../values/value-error.ts';
import { type ChunkableOutput, chunkableOutput, type EncodedOutput, hasVideo } from './chunkable-output.ts';
import { openLabels } from './framewise-filters.ts';

/** A planned conversion. */
export interface PlannedConversion {
  readonly inputs: readonly ArgvInput[];
  readonly outputs: readonly EncodedOutput[];
  /** The release of ffmpeg. undefined: unknown. */
  readonly release: readonly [major: number, minor: number] | undefined;
  /** What else the plan does with its inputs. */
  readonly isJoin: boolean;
  readonly isCut: boolean;
  readonly isTranscript: boolean;
}

/** What a conversion in chunks depends on. */
export interface ChunkableConversion {
  readonly outputs: readonly ChunkableOutput[];
  readonly frameRateModes: readonly FrameRateMode[];
  readonly keyFrameDistance?: number;
  readonly forcedKeyFrames?: ForcedKeyFrames;
  readonly cutsAtKeyFrames: boolean;
  readonly readsNeighbours?: true;
}

/** Input options that change neither the frames nor their times. */
const INPUT_OPTIONS: ReadonlySet<string> = new Set([
  'c',
  'threads',
  'probesize',
  'analyzeduration',
  'autorotate',
  'noautorotate',
]);

/**
 * Whether a conversion can be done in chunks with the same result, by its request alone. Everything that is not known to be exact is
 * rejected.
 */
export function chunkable(conversion: PlannedConversion): ChunkableConversion | WholeReason {
  const { outputs, release } = conversion;
  if (!outputs.some(hasVideo)) return { whole: 'The conversion encodes no video.' };
  const reason = rejectShape(conversion) ?? rejectInput(conversion.inputs);
  if (reason !== undefined) return { whole: reason };
  const found: ChunkableOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const one = chunkableOutput(output, release);
    if ('whole' in one) return outputs.length === 1 ? one : { whole: `Output ${index + 1}: ${one.whole}` };
    found.push(one);
  }
  // Segments need exact key frames. Otherwise, the first output decides where a cut is best.
  const leading = found.find(({ manifest }) => manifest !== undefined) ?? found[0];
  const different = rejectTogether(outputs, found, release);
  if (different !== undefined) return { whole: different };
  return {
    outputs: found,
    frameRateModes: [...new Set(found.flatMap(({ frameRateModes }) => frameRateModes))],
    ...(leading?.keyFrameDistance !== undefined && { keyFrameDistance: leading.keyFrameDistance }),
    ...(leading?.forcedKeyFrames !== undefined && { forcedKeyFrames: leading.forcedKeyFrames }),
    cutsAtKeyFrames: leading?.manifest !== undefined,
    ...(found.some(({ readsNeighbours }) => readsNeighbours) && { readsNeighbours: true }),
  };
}

/** Options that apply to a whole file, so all videos in a chunk share them. */
const OF_FILES: ReadonlySet<string> = new Set(
  'sws_flags bitexact fflags max_muxing_queue_size muxing_queue_data_threshold'.split(' '),
);

/** Why several outputs cannot share chunks. undefined: they can. */
function rejectTogether(
  outputs: readonly EncodedOutput[],
  found: readonly ChunkableOutput[],
  release: PlannedConversion['release'],
): string | undefined {
  const graphs = outputs[0]?.options.filter(({ name }) => name.name === 'filter_complex') ?? [];
  const labels = graphs.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap(openLabels));
  const mapped = outputs.flatMap(({ options }) => mapsOf(options).filter((map) => map.startsWith('[')));
  if (graphs.flatMap(({ values }) => values).length > 1) return 'There are several filtergraphs.';
  if (
    labels
      .map((label) => `[${label}]`)
      .sort()
      .join() !== mapped.toSorted().join()
  )
    return 'Each output of the filtergraph must be mapped once.';
  if (mapped.length > 0 && new Set(found.map(({ extension: one }) => one)).size > 1)
    return 'The outputs of the filtergraph need chunks in several containers, where it may choose another pixel format.';
  if (new Set(found.map(({ forcedKeyFrames }) => JSON.stringify(forcedKeyFrames))).size > 1)
    return 'The outputs have key frames at different times.';
  const withRates = found.map(({ extension: one, averageRates }) => `${one} ${averageRates !== undefined}`);
  if (new Set(withRates).size > new Set(found.map(({ extension: one }) => one)).size)
    return 'Only some of the outputs have a bit rate instead of a quality.';
  const hasX265Rates = found.some(
    ({ encoder, averageRates, highestRates }) =>
      encoder === 'libx265' && (averageRates !== undefined || highestRates.some((rate) => rate !== null)),
  );
  if (found.length > 1 && hasX265Rates)
    return 'Several videos, one of them of "libx265" with a bit rate, would share its parameters.';
  const distances = found.flatMap(({ manifest, keyFrameDistance }) =>
    manifest === undefined ? [] : [keyFrameDistance],
  );
  if (new Set(distances).size > 1) return 'The outputs have key frames at different times.';
  const choosesRate = found.some(({ extension: one, hasVariableRate }) => one === 'mp4' && hasVariableRate);
  if (release === undefined && choosesRate && found.some(({ manifest }) => manifest !== undefined))
    return 'It is not known which frame rate this ffmpeg gives the outputs without segments.';
  const ofFiles = outputs.map(({ options }) =>
    JSON.stringify(options.filter(isOfFile).map(({ key, values }) => [key, values])),
  );
  const [option] = outputs.flatMap(({ options }) => options.filter(isOfFile));
  return new Set(ofFiles).size > 1 && option !== undefined
    ? `${quoted(option.key)} differs between the outputs.`
    : undefined;
}

export const isOfFile = ({ name }: ArgvOption): boolean => OF_FILES.has(name.name);

function rejectShape({ isJoin, isCut, isTranscript, inputs, outputs }: PlannedConversion): string | undefined {
  if (isJoin) return 'Several inputs are joined to one.';
  if (isCut) return 'The output consists of parts of the input.';
  if (isTranscript) return 'The speech of the input is transcribed first.';
  if (outputs.length > 1 && outputs.some(({ passes }) => passes > 1))
    return 'The first of two passes reads the whole video.';
  if (outputs.some(({ usesDevice }) => usesDevice)) return 'A hardware device encodes the video.';
  if (inputs.length !== 1) return 'The conversion has several inputs.';
  return undefined;
}

function rejectInput([input]: readonly ArgvInput[]): string | undefined {
  if (input === undefined) return 'The conversion has no input.';
  const { source, options, made, isList, duration } = input;
  if (source.isSource === true || made !== undefined) return 'The input is made by a filter.';
  if (source.sequence !== undefined) return 'The input is a sequence of images.';
  if (duration !== undefined || isImageFile(extension(source.path))) return 'The input is an image.';
  if (isList === true) return 'Several inputs are joined to one.';
  const option = options.find(({ name }) => !INPUT_OPTIONS.has(name.name));
  return option && `The input option ${quoted(option.key)} may change the times of frames.`;
}
