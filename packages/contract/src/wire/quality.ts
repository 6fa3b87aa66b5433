import { z } from 'zod';
import { QUALITY_METRICS } from '../domain/quality.ts';
import { boolean, choice, integer, list, number, text } from './described-schemas.ts';

/** The values of `metric` in a request. */
export const REQUESTED_METRICS = ['auto', ...QUALITY_METRICS] as const;

/** A target score. `of`: what has this score. */
export const targetScore = (of: string) =>
  number(
    `The quality of ${of}, compared with what the encoder gets: SSIM from 0.5 to 0.999 (0.98 looks like the source), XPSNR from 20 to ` +
      '60 dB, or VMAF from 20 to 100.',
    0.98,
  )
    .min(0.5)
    .max(100);

/** A limit of bits per second, which holds even if the target is missed. */
export const maxBitrateOf = (of: string, example: number) =>
  integer(`The highest average bit rate of ${of}. It counts more than \`target\`.`, example)
    .min(10_000)
    .max(10 ** 10)
    .exactOptional();

/** The field `quality` of a request. */
export const qualityTarget = z
  .strictObject({
    target: targetScore('the whole video'),
    metric: choice(
      REQUESTED_METRICS,
      'How the quality is measured. Default: `auto`, by the scale of `target`: up to 1 `ssim`, up to 60 `xpsnr`, else `vmaf`. Every ffmpeg ' +
        'has `ssim`, ffmpeg 7.1 and later `xpsnr`, and some builds `vmaf`.',
      'ssim',
    ).exactOptional(),
    maxBitrate: maxBitrateOf('the video, in bits per second', 4_000_000),
    maxSize: integer('The largest size of the output, in bytes. It counts more than `target`.', 50_000_000)
      .min(10_000)
      .max(10 ** 13)
      .exactOptional(),
  })
  .meta({
    id: 'QualityTarget',
    description:
      'Makes the video as small as it can be at this quality: the job encodes samples, and chooses the `crf` (`cq`, `qp`) of the encoder ' +
      'by them. The encoder is libx264, libx265, libsvtav1, libaom-av1, libvpx-vp9, or one of NVENC or VA-API. Instead of `crf`, `b:v` ' +
      'and two passes.',
    examples: [{ target: 0.98 }],
  });

const bitsPerSecond = integer('Bits per second of the video.', 1_800_000).nonnegative();

const tried = z.object({
  value: number('The value of the option.', 27),
  score: number('The quality that the full video was expected to have by its samples, or had.', 0.9783),
  bitsPerSecond,
  isWhole: boolean(
    'The full video was encoded with this value, and measured. Absent: only samples.',
    true,
  ).exactOptional(),
});

/** The member `quality` of an output. */
export const outputQuality = z
  .object({
    metric: choice(QUALITY_METRICS, 'How the quality is measured.', 'ssim'),
    target: number('The target of the request.', 0.98),
    reached: number(
      'The quality of the whole output, measured at the end. Absent if ffmpeg could not measure it, and in `chunks`.',
      0.9806,
    ).exactOptional(),
    isReached: boolean(
      'Whether the output has the target, but for 0.002 of SSIM, 0.3 dB of XPSNR or 1 of VMAF. If not, a warning says why.',
      true,
    ).exactOptional(),
    option: text('The option of the encoder.', 'crf'),
    value: number('The value with which the output was encoded.', 26.4),
    tried: list(tried, 'What was tried, by value: on samples, and then on the full video.'),
  })
  .meta({ id: 'OutputQuality', description: 'The quality of the video, if the request has `quality`.' });
