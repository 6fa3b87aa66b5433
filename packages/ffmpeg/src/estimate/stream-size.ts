import { capRange, type EstimatedRange, rangeAround, type SizeBasis } from '@telecine/contract/domain/estimate.ts';
import { QUALITY_OPTIONS, QUALITY_PLACEHOLDERS } from '@telecine/contract/domain/quality.ts';
import { readNumber } from '../values/number.ts';
import { bitRateOf } from './input-streams.ts';
import { type CommandOptions, lastOf, NoEstimate, ofStream } from './links.ts';
import type { OutputStream } from './output-streams.ts';
import { sourceBits } from './source-bits.ts';

/** The estimated bits per second of a stream, and what the estimate is based on. */
interface StreamRate {
  readonly bitsPerSecond: EstimatedRange;
  readonly basis: SizeBasis;
}

/** The default bit rates of encoders for two channels, in bit/s (ffmpeg 5.1 to 8). */
const DEFAULT_RATES: Readonly<Record<string, number>> = {
  aac: 128_000,
  libfdk_aac: 128_000,
  libmp3lame: 128_000,
  libopus: 96_000,
  opus: 96_000,
  libvorbis: 112_000,
  mp2: 384_000,
  eac3: 192_000,
  ac3: 192_000,
};

/** Encoders whose default bit rate grows with the number of channels. Other encoders have one default for any number of channels. */
const PER_CHANNEL: ReadonlySet<string> = new Set(['aac', 'libfdk_aac', 'libopus', 'libvorbis', 'ac3', 'eac3']);

/** The bit rates of LAME for `q:a` 0 to 9 and two channels, in bit/s (LAME manual, `-V`). */
const LAME_VBR = [245, 225, 190, 175, 165, 130, 115, 100, 85, 65].map((kilobits) => kilobits * 1000);
/** The bit rates of libvorbis for `q:a` 0 to 10 and two channels, in bit/s (oggenc manual). */
const VORBIS_VBR = [64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500].map((kilobits) => kilobits * 1000);

const BITS: Readonly<Record<string, number>> = {
  pcm_u8: 8,
  pcm_s8: 8,
  pcm_mulaw: 8,
  pcm_alaw: 8,
  adpcm_ima_wav: 4,
  adpcm_ms: 4,
};

/**
 * The uncertainty of audio with a variable bit rate, which is not the same in both directions. The tables of encoders are about full music. Quiet
 * and simple audio, such as the speech of videos, needs half of that or less, and hardly any audio needs much more.
 */
const variable = (likely: number): EstimatedRange => ({ low: likely / 2.2, likely, high: likely * 1.5 });
/** The factor of uncertainty for audio with a constant bit rate. */
const CONSTANT = 1.04;
/** The usual size of lossless audio, as a share of the bytes of its samples. In real files, this share is a quarter to three quarters. */
const LOSSLESS = { flac: 0.48, alac: 0.5, tta: 0.49, wavpack: 0.49 } as const;

/** Estimates the bit rate of an audio stream. Throws `NoEstimate` for an encoder that no table has. */
export function audioRate(stream: OutputStream & { readonly kind: 'audio' }, options: CommandOptions): StreamRate {
  const { encoder, sampleRate, channels, index, from } = stream;
  if (encoder === 'copy') return { bitsPerSecond: rangeAround(copiedRate(stream), CONSTANT), basis: 'copy' };
  const samples = sampleRate * channels;
  const pcm = BITS[encoder] ?? Number(/^pcm_[suf](\d+)/.exec(encoder)?.[1]);
  if (pcm > 0) return { bitsPerSecond: rangeAround(samples * pcm, 1.01), basis: 'format' };
  const lossless = LOSSLESS[encoder as keyof typeof LOSSLESS];
  if (lossless !== undefined) {
    const bits = samples * (from?.stream.sampleFormat?.startsWith('s32') === true ? 24 : 16);
    return { bitsPerSecond: rangeAround(bits * lossless, 1.6), basis: 'model' };
  }
  const rate = readNumber(ofStream(options, 'b', 'a', index) ?? '');
  const isVariable = encoder === 'libopus' || encoder === 'libvorbis';
  if (rate !== undefined && rate > 0) {
    return { bitsPerSecond: isVariable ? variable(rate) : rangeAround(rate, 1.08), basis: 'bitRate' };
  }
  const quality = Number(ofStream(options, 'q', 'a', index) ?? Number.NaN);
  const scale = encoder === 'libmp3lame' ? LAME_VBR : encoder === 'libvorbis' ? VORBIS_VBR : undefined;
  const byQuality = Number.isNaN(quality) ? undefined : scale?.[Math.round(quality)];
  const share = channels / 2;
  if (byQuality !== undefined) return { bitsPerSecond: variable(byQuality * Math.min(1, share)), basis: 'model' };
  const usual = DEFAULT_RATES[encoder];
  if (usual === undefined || !Number.isNaN(quality))
    throw new NoEstimate(`The sizes of audio from the encoder "${encoder}" are not estimated.`);
  const likely = PER_CHANNEL.has(encoder) ? usual * (channels === 1 ? 0.55 : share) : usual;
  return { bitsPerSecond: isVariable ? variable(likely) : rangeAround(likely, 1.1), basis: 'bitRate' };
}

type VideoStream = OutputStream & { readonly kind: 'video' };

/**
 * The factors of uncertainty for a target bit rate: with one pass, with two passes, and for a copy of a whole stream. A video that is short
 * or has no motion needs less than its target.
 */
const TARGET = 1.33;
const TWO_PASSES = 1.08;
const WHOLE_COPY = 1.02;

/**
 * How far the bit rate of a part of a video is from that of the whole. `SCENE`: the factor for one scene, which may be a still title or all
 * motion. It shrinks slowly with the number of scenes, because calm and busy scenes follow each other: the deviation of an average falls with
 * the power H - 1 of the length, and H is about 0.8 for video (Beran, Sherman, Taqqu, Willinger: Long-range dependence in variable-bit-rate
 * video traffic, 1995).
 */
const SCENE = 3.2;
const SCENE_SECONDS = 10;
const BY_LENGTH = -0.2;

/** The logarithm of the factor of uncertainty of the bit rate of a part, if that of the whole is known. */
function partDeviation(seconds: number, whole: number | undefined): number {
  if (whole === undefined || seconds >= whole * 0.98) return 0;
  const rest = Math.sqrt(1 - seconds / whole);
  return Math.log(SCENE) * (1 + seconds / SCENE_SECONDS) ** BY_LENGTH * rest;
}

/** Bits per pixel of ProRes, whose size hardly depends on the content. From Apple's white paper, for 1080p at 29.97 fps. */
const PRORES_BITS_PER_PIXEL: Readonly<Record<string, number>> = {
  ...{ '0': 0.72, proxy: 0.72, '1': 1.64, lt: 1.64, '2': 2.36, standard: 2.36, '3': 3.54, hq: 3.54 },
  ...{ '4': 5.3, '4444': 5.3, '5': 7.97, '4444xq': 7.97 },
};
const PRORES = 1.5;

/** Estimates the bit rate of a video stream. Throws `NoEstimate` for encoders and options that no table has. */
export function videoRate(stream: VideoStream, options: CommandOptions, passes: number): StreamRate {
  const { encoder, index, width, height, fps } = stream;
  const option = (name: string): string | undefined => ofStream(options, name, 'v', index);
  const pixels = width * height * fps;
  if (encoder === 'copy') {
    return { bitsPerSecond: copiedVideo(stream), basis: 'copy' };
  }
  if (QUALITY_OPTIONS.some((name) => option(name) === QUALITY_PLACEHOLDERS.value)) throw new NoEstimate(BY_TARGET);
  const most = readNumber(option('maxrate') ?? '') ?? 0;
  const buffer = readNumber(option('bufsize') ?? '') ?? most;
  const limited = ({ bitsPerSecond, basis }: StreamRate): StreamRate =>
    most <= 0
      ? { bitsPerSecond, basis }
      : { bitsPerSecond: underLimit(bitsPerSecond, most, buffer / stream.seconds), basis };
  const target = readNumber(option('b') ?? '') ?? 0;
  const quality = qualityOf(encoder, option);
  if (quality !== undefined) {
    const rate = bitsOfQuality(encoder, stream, quality, option('preset'));
    // With a quality and a bit rate, VP9 keeps the quality until it reaches the bit rate. Other encoders ignore the bit rate.
    const isCapped = target > 0 && encoder.startsWith('libvpx');
    return limited(isCapped ? { ...rate, bitsPerSecond: capRange(rate.bitsPerSecond, target * 1.1) } : rate);
  }
  if (target > 0) {
    const range = rangeAround(target, passes > 1 ? TWO_PASSES : TARGET);
    // An input that itself needs few bits may not use those of the target.
    const needed = stream.source?.bitRate ?? range.low;
    return { bitsPerSecond: { ...range, low: Math.min(range.low, needed) }, basis: 'bitRate' };
  }
  if (encoder.startsWith('prores')) {
    const bits = PRORES_BITS_PER_PIXEL[option('profile') ?? 'hq'] ?? 3.54;
    return { bitsPerSecond: rangeAround((bits * pixels) / PRORES ** 0.5, PRORES), basis: 'format' };
  }
  if (encoder === 'rawvideo') {
    const bits = rawBits(lastOf(options, 'pix_fmt', 'pix_fmt:v') ?? stream.source?.pixelFormat);
    return { bitsPerSecond: rangeAround(pixels * bits, 1.01), basis: 'format' };
  }
  throw new NoEstimate(`The sizes of video from the encoder "${encoder}" with these options are not estimated.`);
}

/** A bit rate under a limit. A full buffer at the start adds `more` bits per second. A video that needs more than the limit stays just below it. */
const underLimit = ({ low, likely, high }: EstimatedRange, most: number, more: number): EstimatedRange => ({
  low: Math.min(low, most / 1.1),
  likely: Math.min(likely, most),
  high: Math.min(high, most * 1.05 + more),
});

/** The bit rate of a copied video. A part of it has no more bits than all of it. */
function copiedVideo(stream: VideoStream): EstimatedRange {
  const rate = copiedRate(stream);
  const whole = sourceSeconds(stream);
  const range = rangeAround(rate, Math.max(WHOLE_COPY, Math.exp(partDeviation(stream.seconds, whole))));
  if (whole === undefined || whole < stream.seconds) return range;
  return capRange(range, (rate * WHOLE_COPY * whole) / stream.seconds);
}

/** The length of the file that a stream comes from. undefined: it comes from several, or the length is unknown. */
const sourceSeconds = ({ from }: OutputStream): number | undefined => from?.input.media.format.durationSeconds;

const BY_TARGET = 'The job finds out how large a video of the target quality is.';

function copiedRate({ from }: OutputStream): number {
  const rate = from && bitRateOf(from.stream, from.input.media);
  if (rate === undefined) throw new NoEstimate('The bit rate of a stream that is copied is unknown.');
  return rate;
}

/** The bits per pixel of a pixel format. Throws `NoEstimate` for rare formats. */
function rawBits(format: string | undefined): number {
  const [, chroma, depth] = /^yuvj?a?(420|422|444)p(\d\d)?/.exec(format ?? '') ?? [];
  if (chroma !== undefined) return (chroma === '420' ? 12 : chroma === '422' ? 16 : 24) * (depth === undefined ? 1 : 2);
  const bits = { rgb24: 24, bgr24: 24, rgba: 32, bgra: 32, gray: 8, nv12: 12, gray10le: 16 }[format ?? ''];
  if (bits === undefined) throw new NoEstimate(`The sizes of "${format ?? 'unknown'}" frames are not estimated.`);
  return bits;
}

/** The frame size and frame rate of `QUALITY_ROWS`: 640x360 at 24 frames per second. */
const PIXELS = 640 * 360;
const FPS = 24;

/** Bits per pixel change with the number of pixels and with the frame rate, to the power of these exponents. */
const BY_PIXELS = -0.28;
const BY_FPS = -0.5;

/**
 * The exponents by which the bits per pixel of an output follow those of its input. An input with more bits per pixel than usual is hard
 * to encode, or has a high quality, which the output loses: which of both, its bits do not tell. So the further an input is from the usual,
 * the wider is the range.
 */
const BY_SOURCE = { quality: 0.25, likely: 0.51, difficulty: 0.8 };
/** The same for animated GIF, in which what does not move takes hardly any bits, and noise as many as anything. */
const GIF_BY_SOURCE = { quality: 0.4, likely: 0.7, difficulty: 1.2 };
/** The factors of uncertainty (for nine of ten videos). `KNOWN_SOURCE`: the input shows how hard it is to encode. */
const KNOWN_SOURCE = 2.3;
const UNKNOWN_SOURCE = 4.1;

/** The quality that an encoder is set to, on its own scale. undefined: the encoder is not controlled by a quality. */
function qualityOf(encoder: string, option: (name: string) => string | undefined): number | undefined {
  const row = QUALITY_ROWS[encoder];
  if (row === undefined) return undefined;
  const sent = row.options.map((name) => readNumber(option(name) ?? '')).find((one) => one !== undefined);
  // If the request sets a bit rate, or a quality on another scale, the default quality does not apply.
  const isOther = ['b', 'qp', 'q', 'cq', 'global_quality', 'x265-params', 'x264-params', 'svtav1-params'].some(
    (name) => !row.options.includes(name) && option(name) !== undefined && option(name) !== '0',
  );
  return sent ?? (isOther ? undefined : row.usual);
}

function bitsOfQuality(encoder: string, stream: VideoStream, quality: number, preset: string | undefined): StreamRate {
  const row = QUALITY_ROWS[encoder];
  if (row === undefined) throw new RangeError(`There is no row for ${encoder}.`);
  const { width, height, fps } = stream;
  const steps = row.isRatio === true ? Math.log2(quality / row.at) : quality - row.at;
  const log =
    Math.log2(row.bitsPerPixel) +
    steps * row.perStep +
    (row.presets?.[preset ?? ''] ?? 0) +
    BY_PIXELS * Math.log2((width * height) / PIXELS) +
    BY_FPS * Math.log2(fps / FPS);
  const usual = 2 ** log * width * height * fps;
  return { bitsPerSecond: followSource(rangeAround(usual, 1), stream, BY_SOURCE), basis: 'model' };
}

/** The range of a bit rate, or of a size, that is usual for any video, for the input of a stream. */
function followSource(
  { low, likely, high }: EstimatedRange,
  stream: VideoStream,
  exponents: typeof BY_SOURCE,
): EstimatedRange {
  const bits = stream.source === undefined ? undefined : sourceBits(stream.source);
  if (bits === undefined) return rangeAround(likely, UNKNOWN_SOURCE);
  const { quality, difficulty } = exponents;
  const [least, most] = bits > 0 ? [quality, difficulty] : [difficulty, quality];
  // The bits of the whole source say less about a part. The two errors are independent, so their squares add up.
  const part = exponents.likely * partDeviation(stream.seconds, sourceSeconds(stream));
  const factor = Math.exp(Math.hypot(Math.log(KNOWN_SOURCE), part));
  return {
    low: (low * 2 ** (least * bits)) / factor,
    likely: likely * 2 ** (exponents.likely * bits),
    high: high * 2 ** (most * bits) * factor,
  };
}

/** The sizes that an encoder produces by quality. `docs/decisions/0081-estimates.md` describes the measurement. */
interface QualityRow {
  /** The options that set the quality. If a request has several, the first in this list wins. */
  readonly options: readonly string[];
  /** The default quality. Absent: the default of the encoder is a bit rate. */
  readonly usual?: number;
  /** The quality at which a video has `bitsPerPixel`. */
  readonly at: number;
  /** The bits per pixel of a video of average difficulty with 640x360 pixels and 24 frames per second. */
  readonly bitsPerPixel: number;
  /** The change of the size per step of the quality, in powers of two: -1 halves it. With `isRatio`: the change when the quality doubles. */
  readonly perStep: number;
  readonly isRatio?: true;
  /** By preset: the change of the size, in powers of two. */
  readonly presets?: Readonly<Record<string, number>>;
}

const QUALITY_ROWS: Readonly<Record<string, QualityRow>> = {
  libx264: {
    options: ['crf'],
    usual: 23,
    at: 23,
    bitsPerPixel: 0.07,
    perStep: -0.196,
    presets: {
      ultrafast: 1.5,
      superfast: 0.7,
      veryfast: -0.22,
      faster: -0.03,
      fast: 0.03,
      slow: -0.04,
      slower: -0.02,
      veryslow: -0.14,
    },
  },
  libx265: {
    options: ['crf'],
    usual: 28,
    at: 28,
    bitsPerPixel: 0.0335,
    perStep: -0.13,
    presets: { ultrafast: -0.24, superfast: -0.1, veryfast: -0.07, faster: -0.04, slow: 0.13, slower: 0.2 },
  },
  'libvpx-vp9': { options: ['crf'], usual: 32, at: 31, bitsPerPixel: 0.071, perStep: -0.1 },
  libsvtav1: {
    options: ['crf'],
    at: 35,
    bitsPerPixel: 0.048,
    perStep: -0.085,
    presets: { '6': -0.15, '7': -0.12, '8': -0.09, '12': 0.04 },
  },
  mpeg4: { options: ['q'], at: 5, bitsPerPixel: 0.135, perStep: -0.83, isRatio: true },
  mpeg2video: { options: ['q'], at: 5, bitsPerPixel: 0.165, perStep: -0.86, isRatio: true },
};

/** The sizes that an encoder of images produces. */
interface ImageRow {
  readonly bitsPerPixel: number;
  /** The value of `q` at which an image has `bitsPerPixel`. Absent: `q` does not change the size. */
  readonly at?: number;
  /** The change of the size when `q` doubles, in powers of two: -1 halves it. */
  readonly perDoubling?: number;
}

const IMAGE_ROWS: Readonly<Record<string, ImageRow>> = {
  mjpeg: { bitsPerPixel: 0.6, at: 5, perDoubling: -0.65 },
  png: { bitsPerPixel: 11 },
  gif: { bitsPerPixel: 1.2 },
};

/** The factor of uncertainty for images (for nine of ten). It is high, because simple and detailed images differ much. */
const IMAGE = 3.2;

/** True if the sizes of single images of this encoder are estimated. */
export const isImageEncoder = (encoder: string): boolean => Object.hasOwn(IMAGE_ROWS, encoder);

/** Estimates the bytes of an image, an image sequence or an animation. Throws `NoEstimate` for other encoders. */
export function imageBytes(streams: readonly OutputStream[], options: CommandOptions, muxer: string): EstimatedRange {
  const [stream] = streams;
  if (stream?.kind !== 'video') throw new NoEstimate('The output has no video.');
  const row = IMAGE_ROWS[stream.encoder];
  if (row === undefined || stream.encoder === 'copy')
    throw new NoEstimate(`The sizes of images from the encoder "${stream.encoder}" are not estimated.`);
  const isSingle = muxer === 'image2' && lastOf(options, 'update') !== undefined;
  const frames = isSingle ? 1 : Math.max(1, Math.round(stream.seconds * stream.fps));
  const quality = Number(ofStream(options, 'q', 'v', stream.index) ?? Number.NaN);
  const steps = row.at === undefined || Number.isNaN(quality) ? 0 : Math.log2(Math.max(1, quality) / row.at);
  const bytes = (row.bitsPerPixel * 2 ** (steps * (row.perDoubling ?? 0)) * stream.width * stream.height * frames) / 8;
  const isAnimated = stream.encoder === 'gif' && frames > 1 && stream.source !== undefined;
  return isAnimated ? followSource(rangeAround(bytes, 1), stream, GIF_BY_SOURCE) : rangeAround(bytes, IMAGE);
}
