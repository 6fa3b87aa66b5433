import type {
  ChunkExtension,
  ForcedKeyFrames,
  FrameRateMode,
  RateLimit,
  WholeReason,
} from '@telecine/contract/domain/chunks.ts';
import { parseDuration } from '@telecine/contract/domain/duration.ts';
import type { QualityTarget } from '@telecine/contract/domain/quality.ts';
import { holdsNoVideo, holdsOnlyCover } from '../allowlist/containers.ts';
import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import { type Graph, isGraphError } from '../filtergraph/graph.ts';
import type { StreamEncoders } from '../plan/encoders/stream-encoders.ts';
import { type ArgvOption, hasKey, mapsOf } from '../plan/request/argv-option.ts';
import { isVariableRate, sentRateMode } from '../plan/request/frame-rate-modes.ts';
import { valueForVideo, videosOf } from '../plan/request/video-options.ts';
import { readNumber } from '../values/number.ts';
import { parseParamsString } from '../values/params-string.ts';
import { quoted } from '../values/value-error.ts';
import { opusCopyOf, segmentCopyOf } from './audio-copies.ts';
import { readsNeighbours } from './framewise-filters.ts';
import {
  isManifestMuxer,
  keepsLimits,
  type ManifestMuxer,
  mayHaveAudio,
  rejectAudioRates,
  rejectKeyFrames,
  rejectManifestEncoders,
} from './manifest-outputs.ts';
import { LIMITS, roleOf } from './option-roles.ts';

/** One output of a planned conversion. */
export interface EncodedOutput {
  /** The options of the output and the global ones, without the limits that the service adds. */
  readonly options: readonly ArgvOption[];
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  /** The number of passes. */
  readonly passes: number;
  /** True if the first pass measures for filters. */
  readonly measures: boolean;
  readonly usesDevice: boolean;
  /** Present if the output has a quality target. `options` then have the placeholder of its value. */
  readonly quality?: Pick<QualityTarget, 'maxBitrate' | 'maxSize'> & {
    /** The options before `r` and `s` became filters. */
    readonly sent: readonly ArgvOption[];
  };
  readonly hasLadder: boolean;
  readonly isEncrypted: boolean;
}

/** What the chunks of an output depend on. */
export interface ChunkableOutput {
  readonly encoder: string;
  /** The container of the chunks, and of the file with the other streams. */
  readonly extension: ChunkExtension;
  /** The number of videos. */
  readonly videos: number;
  /** The labels of the videos in the filtergraph. Empty: the videos are not from a graph with labels. */
  readonly labels: readonly string[];
  /** Present if the output consists of segments. */
  readonly manifest?: ManifestMuxer;
  /** The value of `maxrate` for each video. undefined: there is none. */
  readonly limits: readonly (string | undefined)[];
  /** The limit of each video that must be checked where chunks are joined. null: there is none. */
  readonly checkedLimits: readonly (RateLimit | null)[];
  /** The bits per second of the limit of each video, also if nothing must check it. null: there is none. */
  readonly highestRates: readonly (number | null)[];
  /** The average bit rate of each video, in bits per second. Absent: the videos have a quality instead. */
  readonly averageRates?: readonly number[];
  /** For each video, true if the encoder chooses its level by the average bit rate: neither a level nor a limit is set. */
  readonly autoLevels: readonly boolean[];
  readonly maps: readonly string[];
  readonly excluded: readonly ('audio' | 'subtitle' | 'data')[];
  /** The modes that the videos have. If ffmpeg chooses, those that it may choose. */
  readonly frameRateModes: readonly FrameRateMode[];
  /** The mode that the client sets for each video. undefined: ffmpeg chooses by the container. */
  readonly sentRateModes: readonly (FrameRateMode | undefined)[];
  /** True if ffmpeg chooses the mode of a video, and may choose a variable rate for this container. */
  readonly hasVariableRate: boolean;
  readonly copiesAudio: boolean;
  /** True if a filter needs the frames before and after each frame. */
  readonly readsNeighbours: boolean;
  /**
   * How the join corrects the times of the other streams: a copy shifts those of Opus in Matroska before release 6, and rounds those in MPEG-TS
   * from release 6 on unless they are finer.
   */
  readonly correction?: 'opus delay' | 'finer times';
  readonly keyFrameDistance?: number;
  readonly forcedKeyFrames?: ForcedKeyFrames;
}

/** The containers of outputs that are joined exactly, and the containers of their chunks. */
const EXTENSIONS: ReadonlyMap<string, ChunkExtension> = new Map([
  ['mp4', 'mp4'],
  ['mov', 'mov'],
  ['matroska', 'mkv'],
  ['webm', 'mkv'],
  ['hls', 'mp4'],
  ['dash', 'mp4'],
]);

/** Encoders that give each chunk the quality and the headers of one continuous encode. */
const ENCODERS: ReadonlySet<string> = new Set([
  ...['libx264', 'libx264rgb', 'libx265', 'libsvtav1', 'libaom-av1', 'libvpx-vp9'],
  ...['prores', 'prores_aw', 'prores_ks'],
]);

/** Encoders that need a quality in the request. Without one, they have a fixed bit rate, which they spread over the video. */
const NEED_A_QUALITY: ReadonlySet<string> = new Set(['libaom-av1', 'libvpx-vp9']);

/** Encoders that keep to a limit of the bit rate, and can begin with a buffer that is partly full. */
const LIMITED: ReadonlySet<string> = new Set(['libx264', 'libx264rgb', 'libx265']);

/** Encoders whose second pass meets a bit rate, so that chunks can share an average. */
const AVERAGED: ReadonlySet<string> = new Set(['libx264', 'libx265']);

/** A selection of streams of the only input, by kind or number. */
const MAP = /^0(?::(?:[vVasdt](?::\d{1,3})?|\d{1,3}))?\??$/;

/** The only video of the only input, which may be mapped several times. */
const VIDEO_MAP = /^0:[vV](?::0)?$/;

export const hasVideo = ({ encoders, muxer }: EncodedOutput): boolean =>
  encoders.of('v').length > 0 && !holdsNoVideo(muxer) && !holdsOnlyCover(muxer);

/** Whether an output can be encoded in chunks, by its options alone. */
export function chunkableOutput(
  output: EncodedOutput,
  release: readonly [major: number, minor: number] | undefined,
): ChunkableOutput | WholeReason {
  const { options, encoders, muxer } = output;
  if (!hasVideo(output)) return { whole: 'The output has no video.' };
  const limit = (['maxBitrate', 'maxSize'] as const).find((name) => output.quality?.[name] !== undefined);
  if (limit !== undefined)
    return { whole: `"${limit}" of "quality" is a limit of the whole video, which the chunks cannot share.` };
  if (output.hasLadder) return { whole: 'The rungs of a ladder are searched for the whole video.' };
  if (output.isEncrypted) return { whole: 'The segments are encrypted.' };
  const names = new Set(encoders.of('v').map(({ encoder: name }) => name));
  const [encoder] = names;
  if (encoder === undefined) return { whole: 'The video is copied, which is quick.' };
  if (names.size > 1 || !ENCODERS.has(encoder))
    return {
      whole: `The encoder ${quoted(encoder)} is not known to give chunks the quality of one continuous encode.`,
    };
  const extension = EXTENSIONS.get(muxer);
  if (extension === undefined)
    return { whole: `Outputs in the format ${quoted(muxer)} are not known to be joined exactly.` };
  const maps = mapsOf(options);
  const labels = maps.filter((map) => map.startsWith('[')).map((map) => map.slice(1, -1));
  const direct = maps.filter((map) => /^0(?:$|\?|:\d|:[vV])/.test(map));
  const videos = Math.max(1, labels.length + direct.length);
  // Options that the client sent come first, so that the reason names these.
  for (const option of [...(output.quality?.sent ?? []), ...options]) {
    const role = roleOf(option, { muxer, videos });
    if (typeof role !== 'string') return role;
  }
  const numbers = Array.from({ length: videos }, (_, at) => at);
  const needsQuality = NEED_A_QUALITY.has(encoder);
  if (needsQuality && !numbers.every((at) => hasQuality(options, at)))
    return { whole: `Without "crf", ${quoted(encoder)} spreads bits over the whole video.` };
  const reason = rejectMaps(maps, labels, direct) ?? rejectDispositions(options, videos);
  if (reason !== undefined) return { whole: reason };
  const forced = forcedKeyFrames(options);
  if (forced !== undefined && 'whole' in forced) return forced;
  const [distance, ...others] = new Set(numbers.map((at) => keyFrameDistanceOf(options, at)));
  const audio = mayHaveAudio(options) ? encoders.of('a').map(({ encoder: name }) => name) : [];
  const manifest = isManifestMuxer(muxer) ? muxer : undefined;
  const unlikeWhole =
    manifest &&
    (rejectManifestEncoders(manifest, encoder, audio) ??
      rejectAudioRates(manifest, options, audio) ??
      numbers.map((at) => rejectKeyFrames(keyFrameOptions(options, at, forced))).find((one) => one !== undefined));
  if (unlikeWhole !== undefined) return { whole: unlikeWhole };
  if (manifest !== undefined && others.length > 0) return { whole: 'The videos have key frames at different times.' };
  const rateLimits = numbers.map((at) => rateLimitOf(options, at));
  const ofLimit = options.find(({ name }) => LIMITS.has(name.name) && videosOf(name.specifier, videos) !== undefined);
  if (ofLimit !== undefined && !LIMITED.has(encoder))
    return { whole: `${quoted(ofLimit.key)} of ${quoted(encoder)} is not known to hold where chunks are joined.` };
  const averageRates = averageRatesOf(output, { encoder, videos });
  if (averageRates !== undefined && 'whole' in averageRates) return averageRates;
  const differ = output.quality !== undefined || averageRates !== undefined || rateLimits.some((one) => one !== null);
  const ofParameters = encoder === 'libx265' && differ ? rejectX265(options, videos) : undefined;
  if (ofParameters !== undefined) return { whole: ofParameters };
  const opusCopy = extension === 'mkv' && audio.includes('libopus') ? opusCopyOf(audio.length, release) : 'as it is';
  if (opusCopy === 'unknown') return { whole: 'Opus in Matroska is not known to keep its time with this ffmpeg.' };
  const segmentCopy = audio.length === 0 ? 'as it is' : segmentCopyOf(manifest, options, release);
  if (segmentCopy === 'unknown')
    return {
      whole:
        'Audio in MPEG-TS segments is not known to keep its exact times with this ffmpeg. Send "hls_segment_type": "fmp4".',
    };
  const sentRateModes = numbers.map((at) => allowedRateMode(options, at));
  return {
    encoder,
    extension,
    videos,
    labels,
    ...(manifest && { manifest }),
    limits: numbers.map((at) => valueForVideo(options, 'maxrate', at)),
    checkedLimits: keepsLimits(manifest, options, forced) ? numbers.map(() => null) : rateLimits,
    highestRates: rateLimits.map((limit) => limit?.rate ?? null),
    ...(averageRates && { averageRates }),
    autoLevels: numbers.map((at) => rateLimits[at] === null && levelOf(options, at, encoder) === undefined),
    maps,
    excluded: [
      ...(hasKey(options, 'an') ? (['audio'] as const) : []),
      ...(hasKey(options, 'sn') ? (['subtitle'] as const) : []),
      ...(hasKey(options, 'dn') ? (['data'] as const) : []),
    ],
    frameRateModes:
      manifest === undefined
        ? [...new Set(sentRateModes.flatMap((mode) => mode ?? chosenRateModes(extension, release)))]
        : ['cfr'],
    sentRateModes,
    hasVariableRate: manifest === undefined && sentRateModes.includes(undefined) && hasVariableRate(extension, release),
    ...(opusCopy === 'shifted' && { correction: 'opus delay' }),
    ...(segmentCopy === 'with finer times' && { correction: 'finer times' }),
    copiesAudio: audio.includes(undefined),
    readsNeighbours: graphsOfVideo(options).some(readsNeighbours),
    ...(distance !== undefined && others.length === 0 && { keyFrameDistance: distance }),
    ...(forced !== undefined && { forcedKeyFrames: forced }),
  };
}

/** The filtergraphs of the options, as they were checked. */
const graphsOfVideo = (options: readonly ArgvOption[]): readonly Graph[] =>
  options.flatMap(({ checkedGraphs = [], graphs = [] }) =>
    (checkedGraphs.length > 0 ? checkedGraphs : graphs).flatMap((graph) => (isGraphError(graph) ? [] : [graph])),
  );

/** The average bit rates of the videos of an output, or why its chunks cannot share them. undefined: the videos have a quality instead. */
function averageRatesOf(
  { options, measures, passes }: EncodedOutput,
  { encoder, videos }: Pick<ChunkableOutput, 'encoder' | 'videos'>,
): readonly number[] | WholeReason | undefined {
  if (measures) return { whole: 'The first of two passes measures the whole input.' };
  const sent = Array.from({ length: videos }, (_, video) => rateOf(options, 'b', video));
  if (!AVERAGED.has(encoder) && sent.some((rate) => rate > 0))
    return { whole: `${quoted(encoder)} spreads the bits of "b:v" over the whole video. Send "crf" instead.` };
  // libx264 ignores the bit rate beside a quality.
  const rates = sent.map((rate, video) => (encoderValues(options, video)('crf', 'qp') === undefined ? rate : 0));
  if (rates.every((rate) => rate === 0))
    return passes > 1 ? { whole: 'The first of two passes reads the whole video.' } : undefined;
  if (rates.includes(0)) return { whole: 'Only some of the videos have a bit rate.' };
  // Then libx264 takes the average bit rate for the limit too, so a chunk could not have more bits than another.
  const isConstant = rates.some((_, video) => {
    const [highest, buffer] = ['maxrate', 'bufsize'].map((name) => rateOf(options, name, video));
    return highest === 0 && buffer !== 0;
  });
  return isConstant
    ? { whole: '"bufsize" without "maxrate" makes the bit rate constant. Send "maxrate" as well, equal to "b:v".' }
    : rates;
}

/** The level that the client sets. libx265 has it as a parameter only. undefined: the encoder chooses. */
function levelOf(options: readonly ArgvOption[], video: number, encoder: string): string | undefined {
  const { ofParameters, ofAll } = encoderValuesOf(options, video);
  return encoder === 'libx265' ? ofParameters('level', 'level-idc') : ofAll('level', 'level-idc');
}

/** Why chunks of libx265 cannot have bit rates or limits of their own. undefined: they can. */
function rejectX265(options: readonly ArgvOption[], videos: number): string | undefined {
  // The log of the first pass and the bits in the buffer are parameters, of which all videos may share one list.
  if (videos > 1) return 'Several videos of "libx265" with a bit rate would share their parameters.';
  const info = encoderValues(options, 0)('info');
  return info === undefined || info === '0'
    ? undefined
    : '"info" of "libx265" writes the settings of each chunk into its headers.';
}

/** The value of an option for a video of an output, in bits or bits per second. 0: the option is not set. */
const rateOf = (options: readonly ArgvOption[], name: string, video: number): number =>
  Math.max(0, readNumber(valueForVideo(options, name, video) ?? '') ?? 0);

/**
 * The limit of the bit rate of a video. null: the encoder has no limit, because one of `maxrate` and `bufsize` is missing, or the quantizer is
 * constant. An average bit rate with `bufsize` alone is a limit too, and such a conversion runs without chunks.
 */
function rateLimitOf(options: readonly ArgvOption[], video: number): RateLimit | null {
  const [rate = 0, buffer = 0] = ['maxrate', 'bufsize'].map((name) => rateOf(options, name, video));
  return rate > 0 && buffer > 0 && encoderValues(options, video)('qp') === undefined ? { rate, buffer } : null;
}

const hasQuality = (options: readonly ArgvOption[], video: number): boolean =>
  valueForVideo(options, 'crf', video) !== undefined || valueForVideo(options, 'qp', video) !== undefined;

/** The frame rate mode that the client sets for a video. `option-roles.ts` rejects modes that are not variable. undefined: ffmpeg chooses. */
function allowedRateMode(options: readonly ArgvOption[], video: number): FrameRateMode | undefined {
  const mode = sentRateMode(options, video);
  return isVariableRate(mode) ? mode : undefined;
}

/** The modes that ffmpeg may choose. Up to release 5, it writes a constant rate into mp4 and mov. */
function chosenRateModes(
  extension: ChunkExtension,
  release: readonly [major: number, minor: number] | undefined,
): readonly FrameRateMode[] {
  if (extension === 'mkv') return ['vfr'];
  return hasVariableRate(extension, release) ? ['cfr', 'vfr'] : ['cfr'];
}

const hasVariableRate = (
  extension: ChunkExtension,
  release: readonly [major: number, minor: number] | undefined,
): boolean => extension === 'mkv' || release === undefined || release[0] >= 6;

function rejectMaps(maps: readonly string[], labels: readonly string[], direct: readonly string[]): string | undefined {
  const other = maps.find((map) => !map.startsWith('[') && !MAP.test(map));
  if (other !== undefined) return `The selection of streams ${quoted(other)} is not known to be the same in chunks.`;
  if (labels.length > 0 && direct.length > 0)
    return '"map" selects a video of the input besides those of the filtergraph.';
  return direct.length > 1 && !direct.every((map) => VIDEO_MAP.test(map))
    ? '"map" may select several videos.'
    : undefined;
}

/** Without the option, ffmpeg makes the first of several videos the default. */
const rejectDispositions = (options: readonly ArgvOption[], videos: number): string | undefined =>
  videos > 1 && options.some(({ name }) => name.name === 'disposition')
    ? '"disposition" is not known to have the same effect on several videos.'
    : undefined;

/** The request for key frames. undefined: there is none. */
function forcedKeyFrames(options: readonly ArgvOption[]): ForcedKeyFrames | WholeReason | undefined {
  const [option, ...others] = options.filter(({ name }) => name.name === 'force_key_frames');
  const value = option?.values[0];
  if (option === undefined || value === undefined) return undefined;
  if (others.length > 0 || /\d/.test(option.name.specifier ?? ''))
    return { whole: '"force_key_frames" is not the same for all videos.' };
  const every = /^expr:\s*gte\(\s*t\s*,\s*n_forced\s*\*\s*(\d+(?:\.\d+)?)\s*\)\s*$/.exec(value)?.[1];
  if (every !== undefined && Number(every) > 0) return { everySeconds: Number(every) };
  const times = value.split(',').map((time) => parseDuration(time.trim()));
  if (times.every((time) => time !== undefined)) return { seconds: times.toSorted((a, b) => a - b) };
  return { whole: '"force_key_frames" has an expression that counts from the start of the video.' };
}

/** Returns a function that finds the value of an option of an encoder, or of the same parameter of its library, by any of its names. */
const encoderValues = (options: readonly ArgvOption[], video: number) => encoderValuesOf(options, video).ofAll;

/** The same, and a function that looks at the parameters of the library only. */
function encoderValuesOf(options: readonly ArgvOption[], video: number) {
  const params = options.flatMap(({ name, values }) => {
    const option = PARAMS_OPTIONS.get(name.name);
    const isOther = /\d/.test(name.specifier ?? '') && !name.specifier?.endsWith(`:${video}`);
    return option === undefined || isOther ? [] : values.flatMap((value) => parseParamsString(value, option) ?? []);
  });
  type Find = (...names: readonly string[]) => string | undefined;
  const ofParameters: Find = (...names) =>
    names
      .map((name) => params.findLast(([key]) => key.replaceAll('_', '-') === name)?.[1])
      .find((value) => value !== undefined);
  // The parameters of the library override the options.
  const ofAll: Find = (...names) =>
    ofParameters(...names) ??
    names.map((name) => valueForVideo(options, name, video)).find((value) => value !== undefined);
  return { ofParameters, ofAll };
}

/** The distance of key frames of a video if no scene change adds one. */
function keyFrameDistanceOf(options: readonly ArgvOption[], video: number): number | undefined {
  const sent = encoderValues(options, video);
  const numberOf = (...names: readonly string[]): number | undefined => readNumber(sent(...names) ?? '');
  const distance = numberOf('g', 'keyint');
  const isFixed = numberOf('sc_threshold', 'scenecut') === 0 || numberOf('keyint_min', 'min-keyint') === distance;
  return distance !== undefined && distance > 1 && isFixed ? distance : undefined;
}

/** What determines the times of the key frames of a video that libx264 encodes. */
function keyFrameOptions(options: readonly ArgvOption[], video: number, forced: ForcedKeyFrames | undefined) {
  const sent = encoderValues(options, video);
  return {
    distance: keyFrameDistanceOf(options, video),
    isForced: forced !== undefined,
    sceneCut: sent('sc_threshold', 'scenecut'),
    openGop: sent('open-gop'),
  };
}
