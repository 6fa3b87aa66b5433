import { rangeAround } from '../../domain/estimate.ts';
import type { MediaStream } from '../../domain/media-info.ts';
import { readNumber } from '../values/number.ts';
import type { StreamRate } from './audio-size.ts';
import type { VideoLink } from './link.ts';
import { QUALITY_ROWS } from './quality-rows.ts';

/** The size and rate of the film that `QUALITY_ROWS` describe: 640x360 at 24 frames a second. */
const PIXELS = 640 * 360;
const FPS = 24;

/** How bits per pixel change with the number of pixels and of frames, as exponents. */
const BY_PIXELS = -0.28;
const BY_FPS = -0.5;

/**
 * How much of what a source has more than usual an encode of it has too, as an exponent: hard films have more bits. A source
 * also has them because it was encoded well, which an encode loses.
 */
const BY_SOURCE = 0.51;
/** Bits per pixel that sources of the size above usually have, and how that changes with their number of pixels. */
const SOURCE_BITS = 0.17;
const SOURCE_BY_PIXELS = -0.75;
/** The most that a source moves an estimate, in powers of two. */
const MOST_BY_SOURCE = 2.5;

/** How many bits of H.264 one bit of a codec is worth. Sources of other codecs say little about their films. */
const WORTH: Readonly<Record<string, number>> = {
  h264: 1,
  hevc: 1.6,
  vp9: 1.5,
  av1: 2,
  mpeg4: 0.6,
  vp8: 0.8,
  msmpeg4v3: 0.5,
};

/** How far eight of ten films are from the model, as a factor: with a source that says how hard it is to encode, and without. */
const KNOWN_SOURCE = 1.9;
const UNKNOWN_SOURCE = 3;

/** The quality that an encoder gets, in its own scale. Undefined if it is not controlled by one. */
export function qualityOf(encoder: string, option: (name: string) => string | undefined): number | undefined {
  const row = QUALITY_ROWS[encoder];
  if (row === undefined) return undefined;
  const sent = row.options.map((name) => readNumber(option(name) ?? '')).find((one) => one !== undefined);
  // A rate, or a quality on another scale, replaces the default.
  const isOther = ['b', 'qp', 'q', 'cq', 'global_quality', 'x265-params', 'x264-params', 'svtav1-params'].some(
    (name) => !row.options.includes(name) && option(name) !== undefined && option(name) !== '0',
  );
  return sent ?? (isOther ? undefined : row.usual);
}

/** Estimates the rate of an encode by quality. */
export function bitsOfQuality(
  encoder: string,
  link: VideoLink,
  quality: number,
  preset: string | undefined,
): StreamRate {
  const row = QUALITY_ROWS[encoder];
  if (row === undefined) throw new RangeError(`There is no row for ${encoder}.`);
  const { width, height, fps, source } = link;
  const steps = row.isRatio === true ? Math.log2(quality / row.at) : quality - row.at;
  const bySource = source === undefined ? undefined : sourceBits(source);
  const log =
    Math.log2(row.bitsPerPixel) +
    steps * row.perStep +
    (row.presets?.[preset ?? ''] ?? 0) +
    BY_PIXELS * Math.log2((width * height) / PIXELS) +
    BY_FPS * Math.log2(fps / FPS) +
    BY_SOURCE * Math.max(-MOST_BY_SOURCE, Math.min(MOST_BY_SOURCE, bySource ?? 0));
  const likely = 2 ** log * width * height * fps;
  return {
    bitsPerSecond: rangeAround(likely, bySource === undefined ? UNKNOWN_SOURCE : KNOWN_SOURCE),
    basis: 'model',
  };
}

/** How many times the usual bits a source has, as a power of two. Undefined if it does not say. */
function sourceBits({ codec = '', bitRate, width = 0, height = 0, frameRate = 0 }: MediaStream): number | undefined {
  const worth = WORTH[codec];
  const pixels = width * height;
  if (worth === undefined || bitRate === undefined || pixels === 0 || frameRate === 0) return undefined;
  const usual = SOURCE_BITS * (pixels / PIXELS) ** SOURCE_BY_PIXELS;
  return Math.log2((bitRate * worth) / (pixels * frameRate) / usual);
}
