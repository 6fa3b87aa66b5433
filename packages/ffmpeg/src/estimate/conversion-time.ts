import { deviceTypeOf } from '@telecine/contract/domain/devices.ts';
import { type EstimatedRange, MAX_RANGE_RATIO, rangeAround } from '@telecine/contract/domain/estimate.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { PlannedFrameSize } from '@telecine/contract/domain/sampling.ts';
import {
  ENOUGH_JOBS,
  type MeasuredSpeed,
  speedFactor,
  type VideoWork,
  videoKind,
  type WorkKind,
} from '@telecine/contract/domain/work-kinds.ts';
import { searchWork, withoutSamples } from '../sampling/choosers/frame-size.ts';
import { encoderThreads } from './encoder-threads.ts';
import { addWork, type FilterWork, filterWork, measuringWork, NO_FILTERS } from './filter-work.ts';
import { type EstimatedInput, withBitRate } from './input-streams.ts';
import { type CommandOptions, lastOf, NoEstimate, ofStream, readArgv, type VideoLink } from './links.ts';
import { COPIED_BYTES, modelSeconds, showsSpeed, slowdown, startSeconds, type Work } from './machine-time.ts';
import { isCover, type KnownOutput, type OutputStream } from './output-streams.ts';
import { workFactor } from './source-bits.ts';

/** Seconds for the work before and after the runs of ffmpeg: staging and publishing. */
const OVERHEAD = 0.05;
/** Processor seconds to decode, resample and encode one second of audio. */
const AUDIO_SECOND = 0.012;
/** Processor seconds to scale or filter one megapixel. */
const FILTERED = 0.003;
/** What the samples and the measurement of a quality target take, as a share of the encode. */
const SEARCH = 0.8;
/** The factor of uncertainty without measured jobs: this machine differs from the measured one, and the model is not exact. */
const BY_MODEL = 4;

const MEGA = 1e6;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A machine that may run a conversion. */
export interface Machine {
  readonly cores: number;
  /** Its measured speeds, of any kinds. */
  readonly speeds?: readonly MeasuredSpeed[];
  /** How many cores the other jobs on the machine use while this one runs. */
  readonly busyCores?: number;
}

/** Computes the work of a conversion. Throws `NoEstimate` for an encoder or preset of unknown speed. */
export function workOf(
  outputs: readonly EstimatedOutput[],
  { passes, checks = [], quality, frameSize }: Pick<Plan, 'passes' | 'checks' | 'quality' | 'frameSize'>,
): Work {
  const encoded = outputs.flatMap(({ streams, options, muxer }) =>
    streams.map((stream) => encodedStream(stream, muxer, (name) => ofStream(options, name, 'v', stream.index))),
  );
  const [first = NO_ENCODING, ...others] = encoded;
  const heaviest = others.reduce((most, one) => (one.rank > most.rank ? one : most), first);
  const filters = filteringWork(outputs);
  const last = sumOf(encoded.map(({ seconds }) => seconds)) + decodingSeconds(outputs) + filters.all;
  const before = passes.length > 1 ? firstPass(outputs, encoded, filters, readArgv(passes[0] ?? []).output) : NO_PASS;
  const more = checks.length * 0.2 + (quality === undefined ? 0 : SEARCH);
  const ofEncoders = encoded.map(
    ({ seconds, firstPassSeconds = 0, threads = Number.POSITIVE_INFINITY }) =>
      (seconds * (1 + more) + (before.isEncoded ? firstPassSeconds : 0)) / threads,
  );
  const search = frameSize === undefined ? NO_SIZE_SEARCH : sizeSearch(outputs, frameSize);
  const whole = 1 + search.share;
  return {
    kind: heaviest.kind,
    processorSeconds: (last * (1 + more) + before.seconds) * whole,
    filterSeconds: (filters.all * (1 + more) + before.filters.all) * whole,
    leastSeconds: Math.max(filters.oneThread * (1 + more) + before.filters.oneThread, ...ofEncoders) * whole,
    copySeconds: copyingSeconds(outputs),
    starts: Math.max(1, passes.length + checks.length) + search.starts,
    ...(encoded.some(({ isUnknown }) => isUnknown) && { needsMeasurement: true }),
  };
}

const NO_SIZE_SEARCH = { share: 0, starts: 0 };

/** What the choice of a frame size adds to a conversion: a share of its work, and starts of ffmpeg. */
function sizeSearch([output]: readonly EstimatedOutput[], { samples, bitsPerSecond }: PlannedFrameSize) {
  const source = output && sourceVideo(output);
  if (output === undefined || source === undefined || 'none' in samples) return NO_SIZE_SEARCH;
  return withoutSamples(source, bitsPerSecond, output.seconds) === undefined
    ? searchWork(output.seconds)
    : NO_SIZE_SEARCH;
}

/** The work of all filters. Each graph of `filter_complex` runs once, however many outputs it has. */
function filteringWork(outputs: readonly EstimatedOutput[]): FilterWork {
  const graphs = new Map(outputs.map((one) => [lastOf(one.options, 'filter_complex', 'lavfi'), one.graphFilters]));
  const longest = Math.max(...outputs.map(readSeconds));
  return addWork([
    ...outputs.map((one) => filterWork(one.filters, readSeconds(one))),
    ...[...graphs.values()].map((filters) => filterWork(filters, longest)),
  ]);
}

interface PassWork {
  readonly seconds: number;
  readonly filters: FilterWork;
  readonly isEncoded: boolean;
}

const NO_PASS: PassWork = { seconds: 0, filters: NO_FILTERS, isEncoded: false };

/**
 * The work of the first of two passes, from its options. With the option `pass`, it encodes like the last one, but some encoders save
 * time. Without, it measures values for filters: it encodes no video, and decodes only what these need.
 */
function firstPass(
  outputs: readonly EstimatedOutput[],
  encoded: readonly EncodedStream[],
  filters: FilterWork,
  options: CommandOptions,
): PassWork {
  if (lastOf(options, 'pass', 'pass:v') !== undefined) {
    const encoding = sumOf(encoded.map(({ firstPassSeconds = 0 }) => firstPassSeconds));
    return { seconds: encoding + decodingSeconds(outputs) + filters.all, filters, isEncoded: true };
  }
  const isDecoded = lastOf(options, 'vn') === undefined && ofStream(options, 'c', 'v', 0) !== 'copy';
  const measuring = addWork(
    outputs.map((one) => measuringWork(options, readSeconds(one), isDecoded ? sourceVideo(one) : undefined)),
  );
  const audio = sumOf(encoded.filter(({ kind }) => kind === 'audio').map(({ seconds }) => seconds));
  const reading = isDecoded ? readingSeconds(outputs) : 0;
  return { seconds: audio + measuring.all + reading, filters: measuring, isEncoded: false };
}

/** A time range, or the low end of one that is too wide to be of use. */
export type ConversionTime =
  | { readonly range: EstimatedRange; readonly basis: 'jobs' | 'model' }
  | { readonly longerThan: number; readonly unknown: string };

/**
 * Estimates how long the conversion takes on whichever of the machines runs it, without its time in the queue. From measured
 * speeds, nine of ten jobs end within the range. Throws `NoEstimate` if the speed is unknown.
 */
export function conversionSeconds(work: Work, machines: readonly Machine[]): ConversionTime {
  if (machines.length === 0) throw new NoEstimate('No worker runs, so nothing is known of its speed.');
  const all = machines.map((machine) => secondsOn(work, machine));
  const measured = all.filter(({ basis }) => basis === 'jobs');
  const each = work.needsMeasurement === true ? measured : all;
  if (each.length === 0)
    throw new NoEstimate('The speed of a hardware encoder is known once workers have run some jobs with it.');
  const range = {
    low: Math.min(...each.map(({ low }) => low)),
    likely: medianOf(each.map(({ likely }) => likely)),
    high: Math.max(...each.map(({ high }) => high)),
  };
  if (range.high <= range.low * MAX_RANGE_RATIO)
    return { range, basis: each.length === measured.length ? 'jobs' : 'model' };
  return {
    longerThan: range.low,
    unknown: 'The workers or their earlier jobs differ too much for a range, or the workers are too busy.',
  };
}

function secondsOn(
  work: Work,
  { cores, speeds = [], busyCores = 0 }: Machine,
): EstimatedRange & { readonly basis: 'jobs' | 'model' } {
  // Only jobs that are measured themselves are like the measured ones.
  const speed = showsSpeed(work)
    ? speeds.find(({ kind, jobs }) => kind === work.kind && jobs >= ENOUGH_JOBS)
    : undefined;
  const alone = modelSeconds(work, cores) * (speed?.ratio ?? 1);
  const factor = speed === undefined ? BY_MODEL : speedFactor(speed);
  const overhead = OVERHEAD + startSeconds(work);
  // The other jobs may end at once, so the low end does not count them.
  const shared = rangeAround(alone * slowdown(work, busyCores, cores) + overhead, factor);
  return { ...shared, low: (alone + overhead) / factor, basis: speed === undefined ? 'model' : 'jobs' };
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

interface EncodedStream {
  readonly kind: WorkKind;
  readonly seconds: number;
  /** Orders the streams by what decides about the kind: a video is above audio, and audio above copies. */
  readonly rank: number;
  /** The work in the first of two passes. Absent: none. */
  readonly firstPassSeconds?: number;
  /** How many threads the encoder uses at most. Absent: any number. */
  readonly threads?: number;
  readonly isUnknown?: boolean;
}

const NO_ENCODING: EncodedStream = { kind: 'copy', seconds: 0, rank: 0 };

/** The rank of a video that takes no time. Far above any time of audio in processor seconds. */
const VIDEO_RANK = 1e9;

function encodedStream(
  stream: OutputStream,
  muxer: string,
  option: (name: string) => string | undefined,
): EncodedStream {
  if (stream.encoder === 'copy') return NO_ENCODING;
  const { encoder, seconds } = stream;
  if (stream.kind === 'audio') {
    const work = seconds * AUDIO_SECOND;
    return { kind: 'audio', seconds: work, rank: 1 + work };
  }
  const isUnknown = isOnDevice(encoder);
  const perMegapixel = isUnknown ? ON_DEVICE : encodingSeconds(encoder, option);
  const encoding = megapixels(stream) * workFactor(stream.source);
  const filtering = megapixels(stream) * FILTERED;
  const work = encoding * perMegapixel + filtering;
  // A cover is one small image beside the audio, and does not decide about the kind.
  if (isCover(stream)) return { kind: 'image', seconds: work, rank: 0.5 };
  const kind = IMAGE_MUXERS.has(muxer) ? 'image' : videoKind(workOfEncoder(encoder), stream.width * stream.height);
  const first = Math.min(perMegapixel, ENCODER_SPEEDS[encoder]?.firstPass ?? perMegapixel);
  const firstPassSeconds = encoding * first + filtering;
  const threads = encoderThreads(encoder, stream.width, option);
  return { kind, seconds: work, rank: VIDEO_RANK + work, firstPassSeconds, threads, isUnknown };
}

const IMAGE_MUXERS: ReadonlySet<string> = new Set(['image2', 'gif', 'webp', 'apng']);

/** The processor seconds that stand for one megapixel on a hardware device, before its speed is measured. */
const ON_DEVICE = 0.005;

const isOnDevice = (encoder: string): boolean =>
  ENCODER_SPEEDS[encoder] === undefined && deviceTypeOf(encoder) !== undefined;

/** The processor seconds to decode, filter and encode one megapixel. undefined: the speed of the encoder is not known. */
export function processorSecondsOf(encoder: string, option: (name: string) => string | undefined): number | undefined {
  try {
    const encoding = isOnDevice(encoder) ? ON_DEVICE : encodingSeconds(encoder, option);
    return encoding + FILTERED + (DECODE_SECONDS['h264'] ?? 0);
  } catch (error) {
    if (error instanceof NoEstimate) return undefined;
    throw error;
  }
}

const WORK_OF_ENCODER: Readonly<Record<string, VideoWork>> = {
  libx264: 'x264',
  libx265: 'x265',
  libsvtav1: 'av1',
  'libaom-av1': 'av1',
  librav1e: 'av1',
  'libvpx-vp9': 'vp9',
};

export const workOfEncoder = (encoder: string): VideoWork =>
  WORK_OF_ENCODER[encoder] ?? (deviceTypeOf(encoder) === undefined ? 'other-video' : 'hardware');

/** The processor seconds for encoding one megapixel. Throws `NoEstimate` if the speed of the encoder or its preset is not known. */
function encodingSeconds(encoder: string, option: (name: string) => string | undefined): number {
  const speeds = ENCODER_SPEEDS[encoder];
  if (speeds === undefined) throw new NoEstimate(`The speed of the encoder "${encoder}" is not estimated.`);
  const { usual, presets = {}, byOption } = speeds;
  const chosen = byOption === undefined ? undefined : option(byOption);
  const seconds = chosen === undefined ? usual : presets[chosen];
  if (seconds === undefined)
    throw new NoEstimate(`The speed of "${byOption}" "${chosen}" of "${encoder}" is not estimated.`);
  return seconds;
}

const megapixels = (one: {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly seconds: number;
}): number => (one.width * one.height * one.fps * one.seconds) / MEGA;

/** How many seconds of its inputs an output reads at most, with those that ffmpeg decodes and discards. */
const readSeconds = ({ seconds, startSeconds }: EstimatedOutput): number => seconds + startSeconds;

/** The first video that an output reads. undefined: there is none, or its frame size is unknown. */
function sourceVideo({ inputs }: EstimatedOutput): Omit<VideoLink, 'seconds'> | undefined {
  const { width, height, frameRate = 25 } = inputs.flatMap(({ streams }) => streams).find(isVideoNotCover) ?? {};
  return width === undefined || height === undefined ? undefined : { kind: 'video', width, height, fps: frameRate };
}

/** The processor seconds of decoders, if an output needs the frames of a video. */
const decodingSeconds = (outputs: readonly EstimatedOutput[]): number =>
  outputs.some(({ streams }) => streams.some(({ kind, encoder }) => kind === 'video' && encoder !== 'copy'))
    ? readingSeconds(outputs)
    : 0;

/** The processor seconds for decoding each input once, up to the end of the longest output. */
function readingSeconds(outputs: readonly EstimatedOutput[]): number {
  const [first] = outputs;
  if (first === undefined) return 0;
  const longest = Math.max(...outputs.map(readSeconds));
  return first.inputs.reduce((sum, { media, streams, seconds }) => {
    const video = streams.find(isVideoNotCover);
    if (video?.width === undefined || video.height === undefined) return sum;
    const read = {
      width: video.width,
      height: video.height,
      fps: video.frameRate ?? 25,
      seconds: Math.min(seconds, longest),
    };
    const perMegapixel = DECODE_SECONDS[video.codec ?? ''] ?? DECODE_SECONDS['h264'] ?? 0;
    return sum + megapixels(read) * perMegapixel * workFactor(withBitRate(video, media));
  }, 0);
}

/** The seconds for reading and writing copied streams. */
function copyingSeconds(outputs: readonly EstimatedOutput[]): number {
  const bytes = outputs.flatMap(({ streams }) =>
    streams.map(({ encoder, from, seconds }) =>
      encoder === 'copy' && from !== undefined ? ((from.input.media.format.bitRate ?? 0) / 8) * seconds : 0,
    ),
  );
  return Math.max(0, ...bytes) / COPIED_BYTES;
}

/** An output whose streams are known, with the options and inputs of the command that writes it. */
export interface EstimatedOutput extends KnownOutput {
  readonly inputs: readonly EstimatedInput[];
  readonly options: CommandOptions;
  readonly muxer: string;
  /** The seconds that ffmpeg decodes and discards before the output begins. */
  readonly startSeconds: number;
}

/**
 * The work of an encoder, in processor seconds of a core with about 2.5 GHz. `docs/decisions/0081-estimates.md` describes the measurement.
 */
interface EncoderSpeed {
  /** Processor seconds for one megapixel, without a preset. */
  readonly usual: number;
  /** The option that sets the preset: `preset` or `cpu-used`. */
  readonly byOption?: string;
  readonly presets?: Readonly<Record<string, number>>;
  /** Processor seconds for one megapixel in the first of two passes, at most. Absent: as in the second. */
  readonly firstPass?: number;
}

const X264 = {
  ultrafast: 0.011,
  superfast: 0.014,
  veryfast: 0.017,
  faster: 0.026,
  fast: 0.03,
  medium: 0.036,
  slow: 0.052,
  slower: 0.07,
  veryslow: 0.13,
} as const;

const X265 = {
  ultrafast: 0.028,
  superfast: 0.034,
  veryfast: 0.05,
  faster: 0.05,
  fast: 0.058,
  medium: 0.062,
  slow: 0.15,
  slower: 0.5,
} as const;

const ENCODER_SPEEDS: Readonly<Record<string, EncoderSpeed>> = {
  // In a first pass, x264 uses one reference and a short search (`--slow-firstpass` in `x264 --fullhelp`), and VP9 estimates the motion of blocks.
  libx264: { usual: X264.medium, byOption: 'preset', presets: X264, firstPass: 0.012 },
  libx265: { usual: X265.medium, byOption: 'preset', presets: X265 },
  'libvpx-vp9': { usual: 0.17, byOption: 'cpu-used', presets: { '1': 0.17, '2': 0.15, '4': 0.1 }, firstPass: 0.01 },
  libsvtav1: {
    usual: 0.05,
    byOption: 'preset',
    presets: { '6': 0.17, '8': 0.09, '9': 0.06, '10': 0.05, '12': 0.033, '13': 0.03 },
  },
  mpeg4: { usual: 0.006 },
  mpeg2video: { usual: 0.012 },
  mjpeg: { usual: 0.014 },
  prores_ks: { usual: 0.085 },
  ffv1: { usual: 0.026 },
  png: { usual: 0.09 },
  gif: { usual: 0.012 },
  rawvideo: { usual: 0.001 },
};

/** Processor seconds for decoding one megapixel, by the codec of the input. */
const DECODE_SECONDS: Readonly<Record<string, number>> = {
  h264: 0.004,
  hevc: 0.006,
  vp9: 0.006,
  vp8: 0.006,
  av1: 0.007,
  mpeg4: 0.004,
  mpeg2video: 0.004,
  prores: 0.02,
  mjpeg: 0.008,
};
