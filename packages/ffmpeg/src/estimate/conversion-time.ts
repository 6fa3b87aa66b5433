import { type EstimatedRange, rangeAround } from '@telecine/contract/domain/estimate.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { isVideoNotCover } from '@telecine/contract/domain/media-info.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { EstimatedInput } from './input-streams.ts';
import { type CommandOptions, NoEstimate, ofStream } from './links.ts';
import type { KnownOutput, OutputStream } from './output-streams.ts';

/** Seconds for the work before and after ffmpeg: the sandbox, staging and publishing. */
const OVERHEAD = 0.5;
/** Processor seconds to decode, resample and encode one second of audio. */
const AUDIO_SECOND = 0.012;
/** Processor seconds to scale or filter one megapixel. */
const FILTERED = 0.006;
/** Bytes of copied streams per second. Disks are faster, networks slower. */
const COPIED_BYTES = 150e6;
/** The share of the cores that an encoder uses: some of its threads wait for others. */
const USED_CORES = 0.85;
/** What the samples and the measurement of a quality target take, as a share of the encode. */
const SEARCH = 0.8;
/** The most cores that count: with more, videos of ordinary size are hardly encoded faster. */
const MAX_CORES = 12;
/** The factor of uncertainty without recent jobs: this machine differs from the measured one, and the model is not exact. */
const BY_MODEL = 4;
/** The factor of uncertainty if recent jobs have shown how fast the machine is. */
const BY_JOBS = 2.5;
/** The minimum number of recent jobs for their speeds to count. */
const ENOUGH_JOBS = 3;

const MEGA = 1e6;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Estimates how long a conversion takes if no other job runs. Throws `NoEstimate` for an encoder that is not in `ENCODER_SPEEDS`. */
export function conversionSeconds(
  outputs: readonly EstimatedOutput[],
  { passes, checks = [], quality }: Pick<Plan, 'passes' | 'checks' | 'quality'>,
  { cores, ratios }: Machine,
): { readonly range: EstimatedRange; readonly basis: 'jobs' | 'model' } {
  const encoding = sumOf(
    outputs.flatMap(({ streams, options }) =>
      streams.map((stream) => streamSeconds(stream, (name) => ofStream(options, name, 'v', stream.index))),
    ),
  );
  const times = passes.length + checks.length * 0.2 + (quality === undefined ? 0 : SEARCH);
  const work = (encoding + decodingSeconds(outputs)) * Math.max(1, times);
  const wall = wallSeconds(work, cores);
  const fixed = OVERHEAD + copyingSeconds(outputs);
  const sorted = ratios.toSorted((a, b) => a - b);
  const ratio = sorted.length < ENOUGH_JOBS ? undefined : sorted[Math.floor(sorted.length / 2)];
  return ratio === undefined
    ? { range: rangeAround(wall + fixed, BY_MODEL), basis: 'model' }
    : { range: rangeAround(wall * ratio + fixed, BY_JOBS), basis: 'jobs' };
}

/** The seconds that the cores need for this number of processor seconds. */
const wallSeconds = (work: number, cores: number): number =>
  work / Math.max(1, Math.min(cores, MAX_CORES) * USED_CORES);

/** The processor seconds for encoding a stream. */
function streamSeconds(stream: OutputStream, option: (name: string) => string | undefined): number {
  if (stream.encoder === 'copy') return 0;
  if (stream.kind === 'audio') return stream.seconds * AUDIO_SECOND;
  const { encoder, width, height, fps, seconds } = stream;
  return megapixels({ width, height, fps, seconds }) * (encodingSeconds(encoder, option) + FILTERED);
}

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

/** The processor seconds for decoding each input once, up to the end of the longest output. */
function decodingSeconds(outputs: readonly EstimatedOutput[]): number {
  const [first] = outputs;
  const decodes = outputs.some(({ streams }) =>
    streams.some(({ kind, encoder }) => kind === 'video' && encoder !== 'copy'),
  );
  if (first === undefined || !decodes) return 0;
  const longest = Math.max(...outputs.map(({ seconds, startSeconds }) => seconds + startSeconds));
  return first.inputs.reduce((sum, { streams, seconds }) => {
    const video = streams.find(isVideoNotCover);
    if (video?.width === undefined || video.height === undefined) return sum;
    const read = {
      width: video.width,
      height: video.height,
      fps: video.frameRate ?? 25,
      seconds: Math.min(seconds, longest),
    };
    return sum + megapixels(read) * (DECODE_SECONDS[video.codec ?? ''] ?? DECODE_SECONDS['h264'] ?? 0);
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

/** How fast the machine is. */
export interface Machine {
  readonly cores: number;
  /** For each recent job, its real time divided by its estimated time. Empty: there are no recent jobs. */
  readonly ratios: readonly number[];
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
  libx264: { usual: X264.medium, byOption: 'preset', presets: X264 },
  libx265: { usual: X265.medium, byOption: 'preset', presets: X265 },
  'libvpx-vp9': { usual: 0.17, byOption: 'cpu-used', presets: { '1': 0.17, '2': 0.15, '4': 0.1 } },
  libsvtav1: {
    usual: 0.05,
    byOption: 'preset',
    presets: { '6': 0.17, '8': 0.09, '9': 0.06, '10': 0.05, '12': 0.033, '13': 0.03 },
  },
  mpeg4: { usual: 0.012 },
  mpeg2video: { usual: 0.012 },
  mjpeg: { usual: 0.014 },
  prores_ks: { usual: 0.085 },
  ffv1: { usual: 0.026 },
  png: { usual: 0.09 },
  gif: { usual: 0.1 },
  rawvideo: { usual: 0.001 },
};

/** Processor seconds for decoding one megapixel, by the codec of the input. */
const DECODE_SECONDS: Readonly<Record<string, number>> = {
  h264: 0.008,
  hevc: 0.006,
  vp9: 0.006,
  vp8: 0.006,
  av1: 0.007,
  mpeg4: 0.004,
  mpeg2video: 0.004,
  prores: 0.02,
  mjpeg: 0.008,
};

/** By codec of an output: the encoder that ffmpeg uses if the job names none. */
const USUAL_ENCODERS: Readonly<Record<string, string>> = {
  h264: 'libx264',
  hevc: 'libx265',
  vp9: 'libvpx-vp9',
  vp8: 'libvpx',
  av1: 'libsvtav1',
  mpeg4: 'mpeg4',
  mpeg2video: 'mpeg2video',
  prores: 'prores_ks',
};

/** The minimum seconds of a job, real and estimated, to judge the machine's speed. A shorter job is mostly overhead. */
const MIN_SECONDS = 2;

/**
 * The real time of a finished job divided by its estimated time. undefined: the job does not show how fast the machine is, because it has
 * no video, copies streams, was short, had little work, or used an encoder without a known speed.
 */
export function speedRatio({ request, outputs = [], startedAt, completedAt }: Job, cores: number): number | undefined {
  const seconds = (Date.parse(completedAt ?? '') - Date.parse(startedAt ?? '')) / 1000;
  if (!(seconds >= MIN_SECONDS)) return undefined;
  const videos = outputs.flatMap(({ durationSeconds = 0, streams = [] }) =>
    streams.flatMap(({ type, codec, width = 0, height = 0, fps = 0 }) =>
      type === 'video' && width > 0 && fps > 0
        ? [{ codec, megapixels: (width * height * fps * durationSeconds) / MEGA }]
        : [],
    ),
  );
  const { parameters = {} } = request;
  const option = (name: string): string | undefined =>
    [parameters[`${name}:v`], parameters[name], name === 'c' ? parameters['vcodec'] : undefined].find(
      (one) => typeof one === 'string',
    ) as string | undefined;
  if (videos.length === 0 || option('c') === 'copy') return undefined;
  try {
    const work = videos.reduce((sum, { codec, megapixels }) => {
      const encoder = option('c') ?? USUAL_ENCODERS[codec] ?? codec;
      return sum + megapixels * encodingSeconds(encoder, option);
    }, 0);
    const modelled = wallSeconds(work, cores);
    return modelled < MIN_SECONDS ? undefined : (seconds - OVERHEAD) / modelled;
  } catch (error) {
    if (error instanceof NoEstimate) return undefined;
    throw error;
  }
}
