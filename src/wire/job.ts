import { z } from 'zod';
import type { FailureCode } from '../domain/failure.ts';
import { FIRST_OUTPUTS, type OutputStream } from '../domain/job.ts';
import { JOB_STATUSES, type JobPhase } from '../domain/states.ts';
import { analysisSpec, measurementsSchema } from './analysis.ts';
import { conversionBody } from './conversion.ts';
import { batchId, batchName, jobId, waitingFor } from './job-id.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import { warnings } from './warning.ts';

/** The most outputs, or links to outputs, on one page. */
export const MAX_OUTPUTS = 1000;

const PHASES = ['STAGING', 'CONVERTING', 'PUBLISHING'] as const satisfies readonly JobPhase[];

const FAILURE_CODES = [
  'INPUT_NOT_FOUND',
  'INPUT_INVALID',
  'INPUT_UNAVAILABLE',
  'UNSUPPORTED',
  'OUTPUT_EXISTS',
  'LIMIT_EXCEEDED',
  'NO_SPACE',
  'TIMEOUT',
  'STALLED',
  'CANCELLED',
  'WORKER_LOST',
  'NO_WORKER',
  'DEPENDENCY_FAILED',
  'STORAGE_FAULT',
  'STRICT_WARNING',
  'DEVICE_FAILED',
  'FFMPEG_FAILED',
] as const satisfies readonly FailureCode[];

const STREAM_TYPES = [
  'video',
  'audio',
  'subtitle',
  'data',
  'attachment',
] as const satisfies readonly OutputStream['type'][];

const moment = (description: string) => z.iso.datetime().meta({ description, examples: ['2026-01-31T12:00:00.000Z'] });

export const jobStatus = z.enum(JOB_STATUSES).meta({
  id: 'JobStatus',
  description: 'PENDING → PROCESSING → COMPLETED, FAILED or CANCELLED. An automatic retry goes back to PENDING.',
});

const stream = z
  .object({
    index: z.int().nonnegative(),
    type: z.enum(STREAM_TYPES),
    codec: z.string(),
    profile: z
      .string()
      .optional()
      .meta({ description: 'The profile of the codec, if ffmpeg reports it.', examples: ['LC'] }),
    language: z
      .string()
      .optional()
      .meta({ description: 'The language, if the container stores it.', examples: ['eng'] }),
    disposition: z
      .array(z.string())
      .optional()
      .meta({ description: 'The flags that are set, if the container stores them.', examples: [['default']] }),
    width: z.int().optional(),
    height: z.int().optional(),
    fps: z.number().optional(),
    pixelFormat: z
      .string()
      .optional()
      .meta({ description: 'The pixel format that the encoder received.', examples: ['yuv420p'] }),
    sampleRate: z.int().optional(),
    channels: z
      .string()
      .optional()
      .meta({ examples: ['stereo'] }),
  })
  .meta({ id: 'OutputStream', description: 'One stream of an output, as ffmpeg reports it.' });

const output = z
  .object({
    path: z.string().meta({ description: "Relative to the client's media root, or `s3://bucket/key`." }),
    sizeBytes: z.int().nonnegative(),
    durationSeconds: z.number().nonnegative().optional(),
    streams: z.array(stream).optional(),
  })
  .meta({ id: 'JobOutput', description: 'A file that a completed job published.' });

export const outputListSchema = z
  .object({
    outputs: z.array(output),
    outputCount: z
      .int()
      .nonnegative()
      .meta({ description: 'The number of all outputs of the job.', examples: [1] }),
    nextCursor,
  })
  .meta({ id: 'OutputList', description: 'Outputs of a job, those that the request names first.' });

/** Query of `GET /api/conversion/{jobId}/outputs`. */
export const outputListQuery = z.strictObject({
  limit: pageLimit('Outputs', MAX_OUTPUTS, FIRST_OUTPUTS),
  cursor: cursor(),
});

const failure = z
  .object({
    code: z.enum(FAILURE_CODES),
    message: z.string(),
    fix: z.string().optional().meta({ description: 'How to fix it, if that is known.' }),
  })
  .meta({ id: 'JobError', description: 'Why a job failed, or why it is queued for a retry.' });

const links = z
  .object({
    self: z.string(),
    log: z.string(),
    cancel: z.string().optional().meta({ description: 'Present while the job can be cancelled.' }),
    retry: z.string().optional().meta({ description: 'Present once the job is finished.' }),
    output: z
      .string()
      .optional()
      .meta({ description: 'Present while the job is COMPLETED and its outputs have not expired.' }),
    outputs: z
      .string()
      .optional()
      .meta({ description: 'Lists all outputs, in pages. Present once the job has outputs.' }),
    signed: z
      .string()
      .optional()
      .meta({ description: 'Returns signed links to the outputs. Present when `output` is.' }),
    key: z
      .string()
      .optional()
      .meta({ description: 'Returns the key. Present for the client of the job, if the request has `encrypt`.' }),
  })
  .meta({ id: 'JobLinks', description: 'URLs of related operations.' });

const {
  input,
  inputs,
  join,
  cut,
  transcribe,
  output: outputPath,
  outputs: requestedOutputs,
  format,
  parameters,
  fallback,
  thumbnailTrack,
  preset,
  encrypt,
  strict,
  llmId,
  metadata,
  after,
  expiresAfterSeconds,
  priority,
} = conversionBody.shape;

export const jobSchema = z
  .object({
    jobId,
    status: jobStatus,
    message: z.string().meta({ description: 'The status as a sentence.' }),
    phase: z.enum(PHASES).optional().meta({ description: 'What the job does while it is PROCESSING.' }),
    phases: z
      .array(z.object({ phase: z.enum(PHASES), startedAt: moment('When the phase began.') }))
      .optional()
      .meta({
        description:
          'The phases of the newest attempt, in their order. Each ends when the next begins, and the last when the attempt ends. ' +
          'STAGING includes the wait for a slot of the worker. Absent while the job is queued.',
      }),
    progress: z.number().min(0).max(100).optional().meta({ description: 'Progress in percent.' }),
    speed: z
      .number()
      .nonnegative()
      .optional()
      .meta({ description: 'Media seconds per second: 2 is twice as fast as playback.' }),
    fps: z.number().nonnegative().optional().meta({ description: 'Frames converted per second.' }),
    etaSeconds: z
      .number()
      .nonnegative()
      .optional()
      .meta({ description: 'Estimated seconds until the conversion ends.' }),
    input: input.optional(),
    inputs: inputs.optional(),
    join: join.optional(),
    cut: cut.optional(),
    transcribe: transcribe.optional(),
    output: outputPath.optional(),
    requestedOutputs: requestedOutputs.optional().meta({
      description:
        '`outputs` of the request. `outputs` of a job are the files that it published: first these, in the same order.',
    }),
    analysis: analysisSpec.optional().meta({
      description:
        'What the job measures, if it is an analysis. It has no output. `settings` has all that are used, also the defaults.',
    }),
    format: format.optional(),
    parameters: parameters.optional(),
    fallback: fallback.optional(),
    encrypt: encrypt
      .unwrap()
      .omit({ key: true })
      .optional()
      .meta({ description: 'How HLS is encrypted. No view has the key.' }),
    thumbnailTrack: thumbnailTrack.optional(),
    preset: preset.optional().meta({
      description:
        'The recipe that was applied, with its version and all arguments. Its options are in `parameters` and `inputs`.',
    }),
    strict: strict.optional(),
    llmId: llmId.optional(),
    metadata: metadata.optional(),
    expiresAfterSeconds: expiresAfterSeconds.optional(),
    priority: priority.optional(),
    batchId: batchId.optional(),
    name: batchName.optional(),
    after: after.optional(),
    waitingFor: waitingFor.optional(),
    callbackUrl: z
      .string()
      .optional()
      .meta({
        description: 'Where the end of the job is reported, without user name, password and query.',
        examples: ['https://example.org/hooks/telecine?(hidden)'],
      }),
    client: z.string().meta({ description: 'The id of the client that submitted it.', examples: ['shop'] }),
    retryOf: jobId.optional(),
    attempt: z.int().nonnegative().meta({ description: 'The number of attempts so far.' }),
    workerId: z
      .string()
      .optional()
      .meta({ description: 'The worker of the newest attempt. `GET /api/workers` lists them for administrators.' }),
    maxAttempts: z.int().positive(),
    createdAt: moment('When the job was accepted.'),
    startedAt: moment('When the first attempt began.').optional(),
    completedAt: moment('When the job ended: completed, failed or cancelled.').optional(),
    cancelRequestedAt: moment('When a client requested the cancellation.').optional(),
    error: failure.optional(),
    warnings: warnings.optional().meta({
      description:
        'What is probably a mistake in the request and, once the job has ended, what was unexpected in its run. Absent ' +
        'if there are no warnings.',
    }),
    outputs: z
      .array(output)
      .max(FIRST_OUTPUTS)
      .optional()
      .meta({
        description:
          `The files that the job has published, at most ${FIRST_OUTPUTS}: those that the request names, in its order, come ` +
          'first. `outputCount` is the number of all, and `links.outputs` lists all in pages.',
      }),
    outputCount: z
      .int()
      .nonnegative()
      .optional()
      .meta({
        description:
          'The number of all outputs. If it is greater than that of `outputs`, `links.outputs` has the others.',
        examples: [1],
      }),
    measurements: measurementsSchema.optional(),
    expiresAt: moment(
      'When the outputs are removed. Present once the job is COMPLETED, if they are not kept.',
    ).optional(),
    expired: z
      .literal(true)
      .optional()
      .meta({ description: 'Present once the outputs were removed because they had expired.' }),
    links,
  })
  .meta({ id: 'Job', description: 'A job. Members that are unknown or do not apply are left out.' });

export const jobListSchema = z
  .object({
    jobs: z.array(jobSchema),
    nextCursor,
  })
  .meta({ id: 'JobList', description: 'Jobs, newest first.' });

export type OutputListView = z.infer<typeof outputListSchema>;
export type JobView = z.infer<typeof jobSchema>;
export type JobListView = z.infer<typeof jobListSchema>;
