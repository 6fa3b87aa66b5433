import { capRange, rangeAround } from '../../domain/estimate.ts';
import { readNumber } from '../values/number.ts';
import type { StreamRate } from './audio-size.ts';
import { type CommandOptions, lastOf, ofStream } from './command.ts';
import { bitRateOf } from './input-streams.ts';
import { NoEstimate } from './link.ts';
import type { OutputStream } from './output-streams.ts';
import { bitsOfQuality, qualityOf } from './quality-model.ts';

type VideoStream = OutputStream & { readonly kind: 'video' };

/** How far a stream with a target bit rate is from it, as a factor. Short and still films need less. */
const TARGET = 1.25;
const TWO_PASSES = 1.08;
const WHOLE_COPY = 1.02;
/** A part of a film can have more or less than its average. */
const PART_COPY = 1.5;

/** Bits per pixel of formats in which they hardly depend on the picture. ProRes: Apple's white paper, for 1080p at 29.97. */
const PRORES_BITS_PER_PIXEL: Readonly<Record<string, number>> = {
  ...{ '0': 0.72, proxy: 0.72, '1': 1.64, lt: 1.64, '2': 2.36, standard: 2.36, '3': 3.54, hq: 3.54 },
  ...{ '4': 5.3, '4444': 5.3, '5': 7.97, '4444xq': 7.97 },
};
const PRORES = 1.5;

/** Estimates the rate of a stream of pictures. Throws `NoEstimate` for encoders and options without a row. */
export function videoRate(stream: VideoStream, options: CommandOptions, passes: number): StreamRate {
  const { encoder, index, width, height, fps } = stream;
  const option = (name: string): string | undefined => ofStream(options, name, 'v', index);
  const pixels = width * height * fps;
  if (encoder === 'copy') return copiedRate(stream);
  const most = readNumber(option('maxrate') ?? '');
  const limited = (rate: StreamRate): StreamRate =>
    most === undefined || most <= 0 ? rate : { ...rate, bitsPerSecond: capRange(rate.bitsPerSecond, most * 1.05) };
  const target = readNumber(option('b') ?? '') ?? 0;
  const quality = qualityOf(encoder, option);
  if (quality !== undefined) {
    const rate = bitsOfQuality(encoder, stream, quality, option('preset'));
    // With both, VP9 has the quality as long as it needs no more than the rate. Other encoders ignore the rate.
    const isCapped = target > 0 && encoder.startsWith('libvpx');
    return limited(isCapped ? { ...rate, bitsPerSecond: capRange(rate.bitsPerSecond, target * 1.1) } : rate);
  }
  if (target > 0) return { bitsPerSecond: rangeAround(target, passes > 1 ? TWO_PASSES : TARGET), basis: 'bitRate' };
  if (encoder.startsWith('prores')) {
    const bits = PRORES_BITS_PER_PIXEL[option('profile') ?? 'hq'] ?? 3.54;
    return { bitsPerSecond: rangeAround((bits * pixels) / PRORES ** 0.5, PRORES), basis: 'format' };
  }
  if (encoder === 'rawvideo')
    return {
      bitsPerSecond: rangeAround(
        pixels * rawBits(lastOf(options, 'pix_fmt', 'pix_fmt:v') ?? stream.source?.pixelFormat),
        1.01,
      ),
      basis: 'format',
    };
  throw new NoEstimate(`The sizes of pictures from the encoder "${encoder}" with these options are not estimated.`);
}

function copiedRate({ from, seconds }: VideoStream): StreamRate {
  const rate = from && bitRateOf(from.stream, from.input.media);
  if (rate === undefined) throw new NoEstimate('The input does not say the bit rate of a stream that is copied.');
  const isWhole = seconds >= (from?.input.media.format.durationSeconds ?? 0) * 0.98;
  return { bitsPerSecond: rangeAround(rate, isWhole ? WHOLE_COPY : PART_COPY), basis: 'copy' };
}

/** Bits per pixel of a pixel format. Throws `NoEstimate` for rare ones. */
function rawBits(format: string | undefined): number {
  const [, chroma, depth] = /^yuvj?a?(420|422|444)p(\d\d)?/.exec(format ?? '') ?? [];
  if (chroma !== undefined) return (chroma === '420' ? 12 : chroma === '422' ? 16 : 24) * (depth === undefined ? 1 : 2);
  const bits = { rgb24: 24, bgr24: 24, rgba: 32, bgra: 32, gray: 8, nv12: 12, gray10le: 16 }[format ?? ''];
  if (bits === undefined) throw new NoEstimate(`The sizes of "${format ?? 'unknown'}" pictures are not estimated.`);
  return bits;
}
