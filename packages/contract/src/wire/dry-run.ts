import { z } from 'zod';
import { SIZE_BASES } from '../domain/estimate.ts';
import { conversionBody, inputSpec, parameters } from './conversion.ts';
import { boolean, choice, count, list, number, text } from './described-schemas.ts';
import { preset, recipeBody } from './recipe.ts';
import type { Shape } from './shape.ts';
import { warnings } from './warning.ts';

/** Returns whether the query of a request asks for a dry run. `query`: as it was parsed, before its schema has checked it. */
export const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === 'true';

const encoders = z.array(z.string()).optional();

const plannedName = z
  .array(z.union([z.string(), z.object({ any: z.enum(['number', 'date']) }), z.object({ oneOf: z.array(z.string()) })]))
  .meta({
    id: 'PlannedName',
    description: 'A path in parts that follow each other: text, a number, a part of a date, or one of several texts.',
    examples: [['hls/index', { any: 'number' }, '.ts']],
  });

const plan = z
  .object({
    inputs: z
      .array(
        z.object({
          name: z.string(),
          path: z.string(),
          isFetched: boolean('`true`: the input is a URL, which is fetched when the job runs.', true).optional(),
        }),
      )
      .meta({
        description:
          'The inputs, in the order in which ffmpeg numbers them: the name in `argv`, and the path of the file, or the URL ' +
          'without its query.',
      }),
    outputs: z
      .array(
        z.object({
          name: z.string(),
          path: z.string(),
          muxer: text('The name of the ffmpeg muxer.'),
          replace: boolean('Whether an existing file is replaced.'),
          files: list(
            plannedName,
            'The paths of all files of the output that the job can publish. If ffmpeg writes another file, the job fails.',
          ),
          encoders: z.object({ video: encoders, audio: encoders, subtitle: encoders }).meta({
            description:
              'The encoders for each kind of stream, or `copy`. A kind is absent if there are no such streams, or if ffmpeg ' +
              'chooses its default encoder.',
          }),
        }),
      )
      .meta({ description: 'The outputs, in the order of the request.' }),
    passes: z.int().positive(),
    chunks: z
      .object({
        isWhole: boolean('`true`: the job runs whole.', false),
        reason: text(
          'Why the job runs whole. With `auto`, also how many workers now share the input.',
          'The first of two passes reads the whole input.',
        ).optional(),
      })
      .optional()
      .meta({
        description:
          'Present if the request asks for chunks. The times of the frames are checked only when the job runs, and with `auto` the ' +
          'number of workers again.',
      }),
    frameSize: text(
      'How the job chooses the frame size, which `TELECINE_WIDTH` and `TELECINE_HEIGHT` stand for. Present if the request has `frameSize`.',
      'The job encodes samples in several sizes, and chooses the one that looks best at 480 kb/s.',
    ).optional(),
  })
  .meta({ id: 'Plan', description: 'How the service understands the request.' });

const range = z.object({ low: z.number(), likely: z.number(), high: z.number() }).meta({
  description:
    'About nine of ten real values are between `low` and `high`. With the basis `defaults`, this is a guess.',
});

const unknown = text('Why there is no estimate.');

const outputEstimate = z.object({
  durationSeconds: number('The length of the output. Absent for images.').exactOptional(),
  streams: z
    .array(
      z.object({
        type: z.enum(['video', 'audio']),
        codec: text('The codec of a copied stream, else the encoder.', 'libx264'),
        isCopied: z.boolean(),
        width: z.int().exactOptional(),
        height: z.int().exactOptional(),
        frameRate: z.number().exactOptional(),
        channels: z.int().exactOptional(),
      }),
    )
    .exactOptional()
    .meta({ description: 'The streams of the output, without subtitles. Absent if they are not known.' }),
  sizeBytes: range.exactOptional(),
  basis: list(
    z.enum(SIZE_BASES),
    'How the size was found, for each kind of stream: `bitRate` (by options or defaults of encoders), `copy` (streams of the ' +
      'input), `format` (a fixed size per sample), `jobs` (by earlier jobs with the same encoder, preset, quality and size of frames), `defaults` ' +
      '(by usual videos), `limit` (`fs`, or the size to which the recipe fits the file).',
  ).exactOptional(),
  unknown: unknown.exactOptional(),
});

export const estimateSchema = z
  .object({
    outputs: z.array(outputEstimate).meta({ description: 'In the order of the request.' }),
    time: z
      .object({
        seconds: range.exactOptional(),
        basis: choice(
          ['jobs', 'defaults'],
          '`jobs`: by at least three jobs with the same encoder, preset, size of frames and slow filters. `defaults`: by usual speeds of encoders, so the range is wide, and may be wrong.',
        ).exactOptional(),
        jobsBefore: count(
          'How many queued jobs probably start before this one. 0: none, but it cannot start at once. Absent if this job can start at once, or if 1000 jobs are queued. While jobs are queued, how long they take is not known, so the time in the queue has no estimate.',
        ).exactOptional(),
        unknown: unknown.exactOptional(),
      })
      .meta({
        description:
          'How long the conversion runs on whichever worker takes it, beside the jobs that run there now, without its time in the queue.',
      }),
  })
  .meta({
    id: 'Estimate',
    description: 'What the conversion probably produces. A part that cannot be estimated says why.',
  });

export const dryRunSchema = z
  .object({
    argv: list(
      z.array(z.string()),
      'One command per pass, after the one that recognises speech, if any; the first argument is the program. Files have logical names, and keys are shown as ' +
        '"(hidden)". The commands run without a shell.',
    ),
    plan,
    preset: preset.optional().meta({ description: 'The recipe that was applied, with its version and all arguments.' }),
    parameters: parameters.optional().meta({
      description: 'With `preset`: the options of the request and of the recipe, as a job would have them.',
    }),
    inputs: z
      .array(z.union([z.string(), inputSpec]))
      .optional()
      .meta({
        description:
          'With `preset`: the inputs with the options of the request and of the recipe, as a job would have them.',
      }),
    estimate: estimateSchema.optional().meta({ description: 'Absent for the requests of a batch.' }),
    warnings,
  })
  .meta({ id: 'DryRun', description: 'What a submission would run. Nothing is queued.' });

export type DryRunView = Shape<typeof dryRunSchema>;

export const recipeDryRunBody = z
  .strictObject({
    recipe: recipeBody,
    request: conversionBody,
  })
  .meta({
    id: 'RecipeDryRun',
    description:
      'A recipe that is not stored, and a request with it. Without arguments, the request needs no `preset`.',
  });
