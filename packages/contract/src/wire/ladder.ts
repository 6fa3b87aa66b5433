import { z } from 'zod';
import { LADDER_RUNGS } from '../domain/ladder.ts';
import { QUALITY_METRICS } from '../domain/quality.ts';
import { choice, integer, list, number, text } from './described-schemas.ts';
import { maxBitrateOf, REQUESTED_METRICS, targetScore } from './quality.ts';

/** The field `ladder` of a request. */
export const ladderTarget = z
  .strictObject({
    target: targetScore('the best rung'),
    metric: choice(
      REQUESTED_METRICS,
      'How the quality is measured, as in `quality`. Default: `auto`.',
      'ssim',
    ).exactOptional(),
    maxRungs: integer('The highest number of rungs. Default: 8.', 6)
      .min(LADDER_RUNGS.min)
      .max(LADDER_RUNGS.max)
      .exactOptional(),
    maxBitrate: maxBitrateOf('the best rung, in bits per second of video', 8_000_000),
  })
  .meta({
    id: 'LadderTarget',
    description:
      'Makes the rungs of an HLS output for this one video: the job encodes samples in several sizes, none above the source, with ' +
      'several values of `crf`. It chooses up to 8 of them at even steps of the bit rate, from `target` down to what a slow connection can play. ' +
      'The master playlist has the true BANDWIDTH and AVERAGE-BANDWIDTH of each. The encoder is libx264.',
    examples: [{ target: 0.98 }],
  });

const point = {
  width: integer('In pixels.', 1280).positive(),
  height: integer('In pixels.', 720).positive(),
  value: number('The value of the option.', 27),
  score: number(
    'The quality that the full video was expected to have, by its samples: compared with the source, after scaling up to its size.',
    0.9632,
  ),
};

/** The member `ladder` of an output. */
export const outputLadder = z
  .object({
    metric: choice(QUALITY_METRICS, 'How the quality was measured.', 'ssim'),
    target: number('The target of the request.', 0.98),
    option: text('The option of the encoder.', 'crf'),
    rungs: list(
      z.object({
        ...point,
        bandwidth: integer('BANDWIDTH in the master playlist: the peak in bits per second, with audio.', 2_400_000),
        averageBandwidth: integer('AVERAGE-BANDWIDTH: the average in bits per second, with audio.', 1_600_000),
      }),
      'The rungs, the best first, as in the master playlist.',
    ),
    tried: list(
      z.object({
        ...point,
        bitsPerSecond: integer('Bits per second of the video.', 1_800_000).nonnegative(),
      }),
      'What was tried on samples, by size and value: what the full video was expected to have with it.',
    ),
  })
  .meta({ id: 'OutputLadder', description: 'The rungs of an HLS output, if the request has `ladder`.' });
