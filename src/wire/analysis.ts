import { z } from 'zod';
import { COMPARISONS, ERROR_VERDICTS, MEASUREMENTS } from '../domain/analysis.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import { conversionBody } from './conversion.ts';

const number = (min: number, max: number, description: string, example: number) =>
  z
    .number()
    .min(min)
    .max(max)
    .meta({ description, examples: [example] })
    .exactOptional();

const minSeconds = number(0.01, 86_400, 'The shortest one to report, in seconds. Default: 2.', 2);
const noiseDb = (description: string) => number(-120, 0, `${description} Default: -60.`, -50);

const settings = z
  .strictObject({
    silence: z
      .strictObject({ noiseDb: noiseDb('Sound below this level is silence, in dBFS.'), minSeconds })
      .exactOptional(),
    black: z
      .strictObject({
        minSeconds,
        share: number(0, 1, 'The share of a picture that must be black. Default: 0.98.', 0.98),
        pixel: number(0, 1, 'The luminance below which a pixel is black. Default: 0.1.', 0.1),
      })
      .exactOptional(),
    freeze: z
      .strictObject({ noiseDb: noiseDb('The difference below which a picture is the same, in dB.'), minSeconds })
      .exactOptional(),
    scenes: z
      .strictObject({ threshold: number(0, 100, 'How much a picture must differ. Default: 10.', 10) })
      .exactOptional(),
    crop: z
      .strictObject({
        limit: number(0, 1, 'The luminance below which a border is black. Default: 0.094.', 0.1),
        round: z.int().min(2).max(64).meta({ description: 'Sizes are multiples of it. Default: 2.' }).exactOptional(),
      })
      .exactOptional(),
    bitrate: z
      .strictObject({ intervalSeconds: number(0.1, 3600, 'Default: 1, longer for files above 1,000 s.', 1) })
      .exactOptional(),
  })
  .meta({
    id: 'AnalysisSettings',
    description: 'Settings of measurements.',
    examples: [{ silence: { noiseDb: -50 } }],
  });

const seconds = (description: string, example: string) =>
  z
    .string()
    .regex(/^\d{1,7}(\.\d{1,6})?$/)
    .meta({ description, examples: [example] });

const { input, metadata, priority, after, callbackUrl, llmId } = conversionBody.shape;

const measure = z
  .array(z.enum(MEASUREMENTS))
  .min(1)
  .max(MEASUREMENTS.length)
  .refine((all) => new Set(all).size === all.length, { message: '"measure" names something twice.' })
  .meta({
    description: `What to measure. ${COMPARISONS.map((one) => `\`${one}\``).join(', ')} compare the input with \`reference\`.`,
    examples: [['loudness', 'silence']],
  });

/** What to measure, without the file. */
export const analysisSpec = {
  measure,
  settings: settings.exactOptional(),
  reference: z
    .string()
    .min(1)
    .meta({
      description: 'The original to compare with, like `input`. It must have the same size.',
      examples: ['a.mov'],
    })
    .exactOptional(),
  ss: seconds('Where to start, in seconds, as a string.', '60').exactOptional(),
  t: seconds('How long to measure, in seconds, as a string.', '30').exactOptional(),
};

/** The body of `POST /api/analyze`. */
export const analysisBody = z
  .strictObject({
    input: input.unwrap(),
    ...analysisSpec,
    metadata,
    priority,
    after,
    callbackUrl,
    llmId,
  })
  .meta({ id: 'AnalysisRequest', description: 'A file, and what to measure of it.' });

export type AnalysisBody = z.output<typeof analysisBody>;

/** The stored request of an analysis. */
export function toConversionRequest(body: AnalysisBody): ConversionRequest {
  const { input: file, measure: wanted, settings: chosen, reference, ss, t, ...more } = body;
  const analysis = {
    measure: wanted,
    ...(chosen !== undefined && { settings: chosen }),
    ...(reference !== undefined && { reference }),
    ...(ss !== undefined && { ss }),
    ...(t !== undefined && { t }),
  };
  return { input: file, ...more, analysis };
}

const interval = z.object({ start: z.number(), end: z.number() });
const intervals = z
  .object({ count: z.int(), totalSeconds: z.number(), intervals: z.array(interval) })
  .meta({ id: 'Intervals', description: 'Parts of the input, in seconds from its start. At most 1,000 are listed.' });
const damagedIntervals = z
  .object({
    count: z.int(),
    totalSeconds: z.number(),
    intervals: z.array(interval.extend({ wrongUntil: z.number().optional() })),
  })
  .meta({
    id: 'DamagedIntervals',
    description:
      'As `Intervals`. `wrongUntil`: where the picture is sure to be whole again, at the next key frame or the end, if that is after `end`.',
  });
const times = z.array(z.number()).meta({ description: 'Seconds. At most 1,000 are listed.' });
const decibels = z.number().nullable();

/** The results of an analysis. */
export const measurementsSchema = z
  .object({
    loudness: z
      .object({ integratedLufs: decibels, rangeLu: z.number(), truePeakDbtp: decibels })
      .optional()
      .meta({ description: 'By EBU R128. null: silence, or less than 0.4 s of sound.' }),
    volume: z
      .object({ meanDb: decibels, peakDb: decibels })
      .optional()
      .meta({ description: 'In dBFS. null: digital silence.' }),
    silence: intervals.optional(),
    black: intervals.optional(),
    freeze: intervals.optional(),
    scenes: z.object({ count: z.int(), changes: z.array(z.object({ at: z.number(), score: z.number() })) }).optional(),
    crop: z
      .object({ width: z.int(), height: z.int(), x: z.int(), y: z.int(), filter: z.string() })
      .nullable()
      .optional()
      .meta({ description: 'The picture without black borders. null: all of it is black.' }),
    interlacing: z
      .object({
        verdict: z.enum(['progressive', 'top field first', 'bottom field first', 'mixed', 'undetermined']),
        progressive: z.int(),
        topFieldFirst: z.int(),
        bottomFieldFirst: z.int(),
        undetermined: z.int(),
      })
      .optional()
      .meta({ description: 'Numbers of pictures.' }),
    duplicates: z.object({ frames: z.int(), duplicates: z.int(), at: times }).optional(),
    bitrate: z
      .object({
        mean: z.int(),
        max: z.int(),
        maxAt: z.number(),
        intervalSeconds: z.number(),
        values: z.array(z.int()),
      })
      .optional()
      .meta({ description: 'Bits per second of all streams, in intervals.' }),
    keyframes: z
      .object({ count: z.int(), meanSpacing: z.number(), maxSpacing: z.number(), at: times })
      .optional()
      .meta({ description: 'Of the first video stream, in seconds.' }),
    errors: z
      .object({
        verdict: z.enum(ERROR_VERDICTS),
        message: z.string(),
        count: z.int(),
        video: damagedIntervals.optional(),
        audio: intervals.optional(),
        endsAt: z.number().optional(),
      })
      .optional()
      .meta({
        description:
          'What is damaged. `count`: errors of ffmpeg. `video`, `audio`: where the first stream of each is lost or damaged. `endsAt`: where the data ends or cannot be read on, if the file says that there is more.',
      }),
    psnr: z
      .object({ mean: z.number(), min: z.number(), minAt: z.number() })
      .nullable()
      .optional()
      .meta({ description: 'In dB. null: all pictures are equal.' }),
    ssim: z.object({ mean: z.number(), min: z.number(), minAt: z.number() }).optional(),
    xpsnr: z.object({ y: decibels, u: decibels, v: decibels }).optional().meta({ description: 'In dB, by plane.' }),
    vmaf: z.object({ mean: z.number(), min: z.number() }).optional(),
  })
  .meta({ id: 'Measurements', description: 'The results of an analysis, one member for each measurement.' });
