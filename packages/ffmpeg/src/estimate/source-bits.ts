import type { MediaStream } from '@telecine/contract/domain/media-info.ts';

/** The number of pixels to which `SOURCE_BITS` applies. */
const USUAL_PIXELS = 640 * 360;
/** The usual bits per pixel of an input with 640x360 pixels, and the exponent by which they change with its number of pixels. */
const SOURCE_BITS = 0.17;
const SOURCE_BY_PIXELS = -0.75;
/**
 * How many bits of H.264 one bit of another codec is worth. With other codecs, a bit rate does not show how hard an input is to encode.
 */
const WORTH: Readonly<Record<string, number>> = {
  h264: 1,
  hevc: 1.6,
  vp9: 1.5,
  av1: 2,
  mpeg4: 0.6,
  vp8: 0.8,
  msmpeg4v3: 0.5,
};

/** The bits per pixel of an input divided by the usual bits per pixel, as a power of two. undefined: unknown. */
export function sourceBits({
  codec = '',
  bitRate,
  width = 0,
  height = 0,
  frameRate = 0,
}: MediaStream): number | undefined {
  const worth = WORTH[codec];
  const pixels = width * height;
  if (worth === undefined || bitRate === undefined || pixels === 0 || frameRate === 0) return undefined;
  const usual = SOURCE_BITS * (pixels / USUAL_PIXELS) ** SOURCE_BY_PIXELS;
  return Math.log2((bitRate * worth) / (pixels * frameRate) / usual);
}

/** The values of `sourceBits` of the videos that were measured, from slides to heavy grain. Beyond these, the work is that of the nearest one. */
const MEASURED = { least: -3, most: 5 };
/** The exponent by which the processor time of decoders and encoders follows the bits per pixel of an input. */
const WORK_BY_SOURCE = 0.35;

/**
 * How much longer an input takes to decode and to encode than a usual one with as many pixels. Detail, motion and noise take bits, and time:
 * more coefficients to code, and more blocks to search. 1: usual, or unknown.
 */
export function workFactor(source: MediaStream | undefined): number {
  const bits = source === undefined ? undefined : sourceBits(source);
  return bits === undefined ? 1 : 2 ** (WORK_BY_SOURCE * Math.min(MEASURED.most, Math.max(MEASURED.least, bits)));
}
