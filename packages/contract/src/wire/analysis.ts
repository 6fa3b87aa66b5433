import { z } from 'zod';
import { COMPARISONS, ERROR_VERDICTS, FIRST_LISTED, MAX_LISTED, MEASUREMENTS } from '../domain/analysis.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import { MEASURED_LISTS, type MeasuredList } from '../domain/measured-lists.ts';
import { Problem } from '../domain/problem.ts';
import { conversionBody } from './conversion.ts';
import { choice, integer, list, text } from './described-schemas.ts';
import { settings } from './measurement-settings.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';

const seconds = (description: string, example: string) => text(description, example).regex(/^\d{1,7}(\.\d{1,6})?$/);

const { input, metadata, priority, after, callbackUrl, llmId } = conversionBody.shape;

const measure = list(
  z.enum(MEASUREMENTS),
  `What to measure. ${COMPARISONS.map((one) => `\`${one}\``).join(', ')} compare the input with \`reference\`.`,
  ['loudness', 'silence'],
)
  .min(1)
  .max(MEASUREMENTS.length)
  .refine((all) => new Set(all).size === all.length, {
    message: '"measure" contains a measurement twice. Send each once.',
  });

/** The fields of an analysis that say what to measure, without the file. */
export const analysisSpec = z.object({
  measure,
  settings: settings.exactOptional(),
  reference: text('The original to compare with, like `input`. It must have the same size.', 'a.mov')
    .min(1)
    .exactOptional(),
  audio: integer('Which audio stream to measure, from 0. Default: the first.', 1).min(0).max(99).exactOptional(),
  ss: seconds('Where to start, in seconds, as a string.', '60').exactOptional(),
  t: seconds('How long to measure, in seconds, as a string.', '30').exactOptional(),
});

export const analysisBody = z
  .strictObject({
    input: input.unwrap(),
    ...analysisSpec.shape,
    metadata,
    priority,
    after,
    callbackUrl,
    llmId,
  })
  .meta({ id: 'AnalysisRequest', description: 'A file, and what to measure of it.' });

type AnalysisBody = z.output<typeof analysisBody>;

/** The stored form of an analysis request. */
export function toConversionRequest(body: AnalysisBody): ConversionRequest {
  const { input: file, measure: wanted, settings: chosen, reference, audio, ss, t, ...more } = body;
  const analysis = {
    measure: wanted,
    ...(chosen !== undefined && { settings: chosen }),
    ...(reference !== undefined && { reference }),
    ...(audio !== undefined && { audio }),
    ...(ss !== undefined && { ss }),
    ...(t !== undefined && { t }),
  };
  return { input: file, ...more, analysis };
}

export const interval = z.object({ start: z.number(), end: z.number() });
const intervals = z
  .object({ count: z.int(), totalSeconds: z.number(), intervals: z.array(interval), nextCursor })
  .meta({
    id: 'Intervals',
    description: `Parts of the input, in seconds from its start: the first ${FIRST_LISTED}. \`nextCursor\`: the list of the measurement continues there.`,
  });
const times = z.array(z.number()).meta({ description: `Seconds: the first ${FIRST_LISTED}.` });
const change = z.object({ at: z.number(), score: z.number() });
const decibels = z.number().nullable();

export const measurementsSchema = z
  .object({
    loudness: z
      .object({ integratedLufs: decibels, rangeLu: z.number(), truePeakDbtp: decibels })
      .exactOptional()
      .meta({ description: 'By EBU R128. null: silence, or less than 0.4 s of audio.' }),
    volume: z
      .object({ meanDb: decibels, peakDb: decibels })
      .exactOptional()
      .meta({ description: 'In dBFS. null: digital silence.' }),
    silence: intervals.exactOptional(),
    black: intervals.exactOptional(),
    freeze: intervals.exactOptional(),
    scenes: z.object({ count: z.int(), changes: z.array(change), nextCursor }).exactOptional(),
    crop: z
      .object({ width: z.int(), height: z.int(), x: z.int(), y: z.int(), filter: z.string() })
      .nullable()
      .exactOptional()
      .meta({ description: 'The part of the frame without black borders. null: the whole frame is black.' }),
    interlacing: z
      .object({
        verdict: z.enum(['progressive', 'top field first', 'bottom field first', 'mixed', 'undetermined']),
        progressive: z.int(),
        topFieldFirst: z.int(),
        bottomFieldFirst: z.int(),
        undetermined: z.int(),
      })
      .exactOptional()
      .meta({ description: 'Numbers of frames.' }),
    duplicates: z.object({ frames: z.int(), duplicates: z.int(), at: times, nextCursor }).exactOptional(),
    bitrate: z
      .object({
        mean: z.int(),
        max: z.int(),
        maxAt: z.number(),
        intervalSeconds: z.number(),
        values: z.array(z.int()),
      })
      .exactOptional()
      .meta({ description: 'Bits per second of all streams, in intervals.' }),
    keyframes: z
      .object({ count: z.int(), meanSpacing: z.number(), maxSpacing: z.number(), at: times, nextCursor })
      .exactOptional()
      .meta({ description: 'The key frames of the first video stream. `at`: their times in seconds.' }),
    errors: z
      .object({
        verdict: z.enum(ERROR_VERDICTS),
        message: z.string(),
        count: z.int(),
        video: intervals.exactOptional(),
        audio: intervals.exactOptional(),
        endsAt: z.number().exactOptional(),
      })
      .exactOptional()
      .meta({
        description:
          'What is damaged. `count`: errors of ffmpeg. `video`, `audio`: where the first stream of each is lost or damaged. `endsAt`: where the data ends or cannot be read on, if the file says that there is more.',
      }),
    psnr: z
      .object({ mean: z.number(), min: z.number(), minAt: z.number() })
      .nullable()
      .exactOptional()
      .meta({ description: 'In dB. null: all frames are equal.' }),
    ssim: z.object({ mean: z.number(), min: z.number(), minAt: z.number() }).exactOptional(),
    xpsnr: z
      .object({ y: decibels, u: decibels, v: decibels })
      .exactOptional()
      .meta({ description: 'In dB, by plane.' }),
    vmaf: z.object({ mean: z.number(), min: z.number() }).exactOptional(),
  })
  .meta({ id: 'Measurements', description: 'The results of an analysis, one member for each measurement.' });

/** The name of a list in the results of an analysis, as a part of a URL path. */
export const measuredListName = choice(MEASURED_LISTS, 'A measurement, or a kind of stream with `errors`.', 'silence');

/** Throws NOT_FOUND if `text` is not the name of a list. */
export function parseMeasuredList(text: string): MeasuredList {
  const list = MEASURED_LISTS.find((one) => one === text);
  if (list !== undefined) return list;
  throw new Problem('NOT_FOUND', `No analysis measures this list. The lists are: ${MEASURED_LISTS.join(', ')}.`);
}

export const measuredListQuery = z.strictObject({
  limit: pageLimit('Entries', FIRST_LISTED, FIRST_LISTED),
  cursor: cursor(),
});

export const measuredListSchema = z
  .object({
    list: measuredListName,
    count: integer(`The number of all entries. At most ${MAX_LISTED} are stored.`),
    entries: list(z.union([interval, change, z.number()]), 'Entries of the same form as in the job.'),
    nextCursor,
  })
  .meta({ id: 'MeasuredList', description: 'One page of a list that an analysis has measured.' });
