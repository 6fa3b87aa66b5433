import type { ChunkOutput, ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { PlannedSearch } from '@telecine/contract/domain/sampling.ts';
import { holdsNoVideo, holdsOnlyCover } from '../allowlist/containers.ts';
import { type Graph, isGraphError } from '../filtergraph/graph.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import { type ArgvOption, hasKey, mapsOf } from '../plan/request/argv-option.ts';
import { isImageFile } from '../plan/request/format-names.ts';
import type { ArgvInput } from '../plan/request/resolve-inputs.ts';
import { videosOf } from '../plan/request/video-options.ts';
import { readNumber } from '../values/number.ts';
import { quoted } from '../values/value-error.ts';
import { changesRate, openLabels, readsNeighbours } from './framewise-filters.ts';
import { isManifestMuxer } from './manifest-options.ts';
import { roleOf } from './option-roles.ts';

/** One output of a planned conversion. */
export interface EncodedOutput {
  /** The options of the output and the global ones, without the limits that the service adds. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  /** The number of passes. */
  readonly passes: number;
  readonly usesDevice: boolean;
  readonly isEncrypted: boolean;
  /** What the job chooses by samples. With a ladder, the options are those of one rung. */
  readonly search: PlannedSearch | undefined;
}

/** A planned conversion. */
export interface PlannedConversion {
  readonly inputs: readonly ArgvInput[];
  readonly outputs: readonly EncodedOutput[];
  /** What else the plan does with its inputs. */
  readonly isJoin: boolean;
  readonly isCut: boolean;
  readonly isTranscript: boolean;
}

/** What the chunks of an output depend on. */
export interface SplittableOutput extends Pick<ChunkOutput, 'maps' | 'excluded'> {
  readonly encoder: string;
  /** The number of videos. */
  readonly videos: number;
  /** The labels of the videos in the filtergraph. Empty: the videos are not from a graph with labels. */
  readonly labels: readonly string[];
  readonly keyFrameSeconds: number | undefined;
  readonly hasAverageRate: boolean;
}

/** What a conversion in chunks depends on. */
export interface SplittableConversion
  extends Pick<ChunkTemplates, 'extension' | 'keyFrameSeconds' | 'prerollSeconds' | 'warmUpSeconds'>,
    Pick<ChunkTemplates, 'hasSegments' | 'keepsFrames'> {
  readonly outputs: readonly SplittableOutput[];
}

/** The muxers of outputs that are joined from chunks by copying. */
const MUXERS: ReadonlySet<string> = new Set(['mp4', 'mov', 'matroska', 'webm', 'hls', 'dash']);

/** Encoders that write the same headers for all chunks of a run. */
const ENCODERS: ReadonlySet<string> = new Set([
  ...['libx264', 'libx264rgb', 'libx265', 'libsvtav1', 'libaom-av1', 'libvpx-vp9'],
  ...['prores', 'prores_aw', 'prores_ks'],
]);

/** Input options that change neither the frames nor their times. */
const INPUT_OPTIONS: ReadonlySet<string> = new Set([
  ...['c', 'threads', 'probesize', 'analyzeduration', 'autorotate', 'noautorotate'],
]);

/** Enough for the frames that a deinterlacer reads before the first one of a chunk. */
const PREROLL_SECONDS = 1;

/** After so many seconds, the rate control of an encoder gives frames about the bits that they have in the whole video. */
const WARM_UP_SECONDS = 4;

/** Encoders that keep an average bit rate about as well after a warm-up as in the whole video. libx265 does not. */
const WARMED_UP: ReadonlySet<string> = new Set(['libx264', 'libx264rgb']);

/** A selection of streams of the only input, by kind or number. */
const MAP = /^0(?::(?:[vVasdt](?::\d{1,3})?|\d{1,3}))?\??$/;

/** The only video of the only input, which may be mapped several times. */
const VIDEO_MAP = /^0:[vV](?::0)?$/;

const hasVideo = ({ encoders, muxer }: EncodedOutput): boolean =>
  encoders.of('v').length > 0 && !holdsNoVideo(muxer) && !holdsOnlyCover(muxer);

/** Whether a conversion can be done in chunks, by its request alone. What is not known to split runs whole, with the reason. */
export function splittable(conversion: PlannedConversion): SplittableConversion | WholeReason {
  const { inputs, outputs } = conversion;
  const reason = rejectShape(conversion) ?? rejectInput(inputs);
  if (reason !== undefined) return { whole: reason };
  const found: SplittableOutput[] = [];
  for (const [index, output] of outputs.entries()) {
    const one = splittableOutput(output);
    if ('whole' in one) return outputs.length === 1 ? one : { whole: `Output ${index + 1}: ${one.whole}` };
    found.push(one);
  }
  const different = rejectTogether(outputs, found);
  if (different !== undefined) return { whole: different };
  const graphs = outputs.flatMap(({ options }) => graphsOfVideo(options));
  const keyFrameSeconds = found[0]?.keyFrameSeconds;
  const isWarmedUp = found.some(({ hasAverageRate }) => hasAverageRate);
  const cold = isWarmedUp ? found.find(({ encoder }) => !WARMED_UP.has(encoder)) : undefined;
  if (cold !== undefined)
    return {
      whole: `An average bit rate needs frames before each chunk, which are not known to be cut off right from ${quoted(cold.encoder)}.`,
    };
  if (isWarmedUp && graphs.some(changesRate))
    return {
      whole:
        'A filter changes the frame rate, so that the frames before a chunk with an average bit rate cannot be counted.',
    };
  return {
    outputs: found,
    extension: found.some(({ encoder }) => encoder.startsWith('prores')) ? 'mov' : 'mp4',
    ...(keyFrameSeconds !== undefined && { keyFrameSeconds }),
    ...(graphs.some(readsNeighbours) && { prerollSeconds: PREROLL_SECONDS }),
    ...(isWarmedUp && { warmUpSeconds: WARM_UP_SECONDS }),
    hasSegments: outputs.some(({ muxer }) => isManifestMuxer(muxer)),
    keepsFrames: !graphs.some(changesRate),
  };
}

function rejectShape({ isJoin, isCut, isTranscript, inputs, outputs }: PlannedConversion): string | undefined {
  if (!outputs.some(hasVideo)) return 'The conversion encodes no video.';
  if (isJoin) return 'Several inputs are joined to one.';
  if (isCut) return 'The output consists of parts of the input.';
  if (isTranscript) return 'The speech of the input is transcribed first.';
  if (outputs.some(({ passes }) => passes > 1)) return 'The first of two passes reads the whole input.';
  if (outputs.some(({ usesDevice }) => usesDevice)) return 'A hardware device encodes the video.';
  if (outputs.some(({ isEncrypted }) => isEncrypted)) return 'The segments are encrypted.';
  if (outputs.some(({ search }) => search?.choose === 'quality' && (search.maxBitrate ?? search.maxSize) !== undefined))
    return '"maxBitrate" and "maxSize" of "quality" are limits of the whole video.';
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

/** Whether an output can be encoded in chunks, by its options alone. */
function splittableOutput(output: EncodedOutput): SplittableOutput | WholeReason {
  const { options, encoders, muxer } = output;
  if (!hasVideo(output)) return { whole: 'The output has no video.' };
  const [encoder, ...others] = new Set(encoders.of('v').map(({ encoder: name }) => name));
  if (encoder === undefined) return { whole: 'The video is copied, which is quick.' };
  if (others.length > 0 || !ENCODERS.has(encoder))
    return { whole: `Chunks of the encoder ${quoted(encoder)} are not known to fit together.` };
  if (!MUXERS.has(muxer)) return { whole: `Outputs in the format ${quoted(muxer)} are not joined from chunks.` };
  const maps = mapsOf(options);
  const labels = maps.filter((map) => map.startsWith('[')).map((map) => map.slice(1, -1));
  const direct = maps.filter((map) => /^0(?:$|\?|:\d|:[vV])/.test(map));
  const videos = Math.max(1, labels.length + direct.length);
  for (const option of options) {
    const role = roleOf(option, { muxer, videos });
    if (typeof role !== 'string') return role;
  }
  const reason = rejectMaps(maps, labels, direct);
  if (reason !== undefined) return { whole: reason };
  const average = options.find(
    ({ name: { name, specifier }, values: [rate = ''] }) =>
      name === 'b' && videosOf(specifier, videos) !== undefined && readNumber(rate) !== 0,
  );
  if (average !== undefined && !WARMED_UP.has(encoder))
    return {
      whole: `${quoted(average.key)} is kept over the whole video, and is not known to be in chunks of ${quoted(encoder)}.`,
    };
  const keyFrameSeconds = requestedKeyFrames(options);
  if (typeof keyFrameSeconds === 'object') return keyFrameSeconds;
  if (keyFrameSeconds === undefined && isManifestMuxer(muxer))
    return {
      whole:
        'Segments begin at key frames. Send "force_key_frames", such as "expr:gte(t,n_forced*4)", so that chunks have them too.',
    };
  return {
    ...{ encoder, videos, labels, maps, keyFrameSeconds, hasAverageRate: average !== undefined },
    excluded: [
      ...(hasKey(options, 'an') ? (['audio'] as const) : []),
      ...(hasKey(options, 'sn') ? (['subtitle'] as const) : []),
      ...(hasKey(options, 'dn') ? (['data'] as const) : []),
    ],
  };
}

function rejectMaps(maps: readonly string[], labels: readonly string[], direct: readonly string[]): string | undefined {
  const other = maps.find((map) => !map.startsWith('[') && !MAP.test(map));
  if (other !== undefined) return `The selection of streams ${quoted(other)} is not known to be the same in chunks.`;
  if (labels.length > 0 && direct.length > 0)
    return '"map" selects a video of the input besides those of the filtergraph.';
  return direct.length > 1 && !direct.every((map) => VIDEO_MAP.test(map))
    ? '"map" may select several videos.'
    : undefined;
}

/** ffmpeg gets the times of the key frames of a chunk as one argument, of at most 128 KiB. With closer key frames, an hour has too many. */
const LEAST_KEY_FRAME_SECONDS = 0.5;

/** The distance of requested key frames. undefined: there is no request. */
function requestedKeyFrames(options: readonly ArgvOption[]): number | WholeReason | undefined {
  const [option, ...others] = options.filter(({ name }) => name.name === 'force_key_frames');
  if (option === undefined) return undefined;
  if (others.length > 0 || /\d/.test(option.name.specifier ?? ''))
    return { whole: '"force_key_frames" is not the same for all videos.' };
  const every = /^expr:\s*gte\(\s*t\s*,\s*n_forced\s*\*\s*(\d+(?:\.\d+)?)\s*\)\s*$/.exec(option.values[0] ?? '')?.[1];
  return Number(every) >= LEAST_KEY_FRAME_SECONDS
    ? Number(every)
    : { whole: '"force_key_frames" is not "expr:gte(t,n_forced*4)", with a number of at least 0.5.' };
}

/** Options that apply to a whole file, so all videos in a chunk share them. */
const OF_FILES: ReadonlySet<string> = new Set(
  'sws_flags bitexact fflags max_muxing_queue_size muxing_queue_data_threshold'.split(' '),
);

export const isOfFile = ({ name }: ArgvOption): boolean => OF_FILES.has(name.name);

/** Why several outputs cannot share chunks. undefined: they can. */
function rejectTogether(outputs: readonly EncodedOutput[], found: readonly SplittableOutput[]): string | undefined {
  const graphs = outputs[0]?.options.filter(({ name }) => name.name === 'filter_complex') ?? [];
  const labels = graphs.flatMap(({ checkedGraphs = [] }) => checkedGraphs.flatMap(openLabels));
  const mapped = outputs.flatMap(({ options }) => mapsOf(options).filter((map) => map.startsWith('[')));
  if (graphs.flatMap(({ values }) => values).length > 1) return 'There are several filtergraphs.';
  const wanted = labels.map((label) => `[${label}]`).sort();
  if (wanted.join() !== mapped.toSorted().join()) return 'Each output of the filtergraph must be mapped once.';
  if (new Set(found.map((one) => one.keyFrameSeconds)).size > 1)
    return 'The outputs have key frames at different times.';
  const hasProres = found.some(({ encoder }) => encoder.startsWith('prores'));
  if (hasProres && found.some(({ encoder }) => !/^(?:prores|libx26[45])/.test(encoder)))
    return 'MOV, which holds ProRes, does not hold the codec of another output.';
  const ofFiles = outputs.map(({ options }) =>
    JSON.stringify(options.filter(isOfFile).map(({ key, values }) => [key, values])),
  );
  const [option] = outputs.flatMap(({ options }) => options.filter(isOfFile));
  return new Set(ofFiles).size > 1 && option !== undefined
    ? `${quoted(option.key)} differs between the outputs.`
    : undefined;
}

/** The filtergraphs of the options, as they were checked. */
const graphsOfVideo = (options: readonly ArgvOption[]): readonly Graph[] =>
  options.flatMap(({ checkedGraphs = [], graphs = [] }) =>
    (checkedGraphs.length > 0 ? checkedGraphs : graphs).flatMap((graph) => (isGraphError(graph) ? [] : [graph])),
  );
