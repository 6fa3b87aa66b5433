import { z } from 'zod';
import { choice, integer, list, number, text } from './described-schemas.ts';

/** The field `frameSize` of a request. */
export const frameSize = choice(
  ['auto'],
  '`auto`: the job scales the video down, in its own proportions, to the size that is expected to look best at its average bit rate (`b:v`). With ' +
    'libx264, it encodes samples in several sizes and compares them with the source, if the input is long enough for it. Otherwise, the size is the ' +
    'usual one for the bit rate. Default: the size of the source, or that of the filters.',
  'auto',
);

const size = { width: integer('In pixels.', 854).positive(), height: integer('In pixels.', 480).positive() };

/** The member `frameSize` of an output. */
export const outputFrameSize = z
  .object({
    ...size,
    bitsPerSecond: integer('The average bit rate of the video for which the size was chosen.', 480_000).positive(),
    reason: text(
      'Why it has this size.',
      'At 480 kb/s, samples in 854x480 are most like the source: SSIM 0.9512. 1280x720 has 0.9430, 640x360 0.9380.',
    ),
    compared: list(
      z.object({
        ...size,
        score: number(
          'The SSIM that the video was expected to have at this bit rate, after scaling up to the source.',
          0.9512,
        ),
      }),
      'The sizes that were compared by samples, the largest first. Absent: there were none.',
    ).exactOptional(),
  })
  .meta({ id: 'OutputFrameSize', description: 'The frame size that the job chose, if the request has `frameSize`.' });
