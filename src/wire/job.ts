import { z } from 'zod';
import type { FailureCode } from '../domain/failure.ts';
import type { OutputStream } from '../domain/job.ts';
import { JOB_STATUSES, type JobPhase } from '../domain/states.ts';
import { conversionBody } from './conversion.ts';
import { jobId } from './job-id.ts';

const PHASES = ['STAGING', 'CONVERTING', 'PUBLISHING'] as const satisfies readonly JobPhase[];

const FAILURE_CODES = [
  'INPUT_NOT_FOUND',
  'INPUT_INVALID',
  'UNSUPPORTED',
  'OUTPUT_EXISTS',
  'LIMIT_EXCEEDED',
  'NO_SPACE',
  'TIMEOUT',
  'STALLED',
  'CANCELLED',
  'WORKER_LOST',
  'STORAGE_FAULT',
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
  description: 'PENDING → PROCESSING → COMPLETED, FAILED or CANCELLED; back to PENDING for an automatic try.',
});

const stream = z
  .object({
    index: z.int().nonnegative(),
    type: z.enum(STREAM_TYPES),
    codec: z.string(),
    profile: z
      .string()
      .optional()
      .meta({ description: 'Where ffmpeg tells it.', examples: ['LC'] }),
    language: z
      .string()
      .optional()
      .meta({ description: 'Where the container keeps it.', examples: ['eng'] }),
    disposition: z
      .array(z.string())
      .optional()
      .meta({ description: 'What is set of it, where the container keeps that.', examples: [['default']] }),
    width: z.int().optional(),
    height: z.int().optional(),
    fps: z.number().optional(),
    pixelFormat: z
      .string()
      .optional()
      .meta({ description: 'As the encoder was given it.', examples: ['yuv420p'] }),
    sampleRate: z.int().optional(),
    channels: z
      .string()
      .optional()
      .meta({ examples: ['stereo'] }),
  })
  .meta({ id: 'OutputStream', description: 'One stream of an output, as ffmpeg reports it.' });

const output = z
  .object({
    path: z.string().meta({ description: "Relative to the client's media root." }),
    sizeBytes: z.int().nonnegative(),
    durationSeconds: z.number().nonnegative().optional(),
    streams: z.array(stream).optional(),
  })
  .meta({ id: 'JobOutput', description: 'A file that a completed job left.' });

const failure = z
  .object({
    code: z.enum(FAILURE_CODES),
    message: z.string(),
    fix: z.string().optional().meta({ description: 'What to do about it, where that is known.' }),
  })
  .meta({ id: 'JobError', description: 'Why a job ended without its output, or why it waits for another try.' });

const links = z
  .object({
    self: z.string(),
    log: z.string(),
    cancel: z.string().optional().meta({ description: 'There while the job can be cancelled.' }),
    retry: z.string().optional().meta({ description: 'There once the job is finished.' }),
    output: z.string().optional().meta({ description: 'There once the job is COMPLETED.' }),
    signed: z
      .string()
      .optional()
      .meta({ description: 'Gives signed short-lived links to the outputs. There once the job is COMPLETED.' }),
  })
  .meta({ id: 'JobLinks', description: 'Where to go on from here.' });

const { input, inputs, output: outputPath, format, parameters, llmId } = conversionBody.shape;

/** A job as it is shown. What is not known, or does not apply, is left out. */
export const job = z
  .object({
    jobId,
    status: jobStatus,
    message: z.string().meta({ description: 'The status as a sentence.' }),
    phase: z.enum(PHASES).optional().meta({ description: 'What happens inside PROCESSING.' }),
    progress: z.number().min(0).max(100).optional().meta({ description: 'Percent.' }),
    speed: z
      .number()
      .nonnegative()
      .optional()
      .meta({ description: 'Media seconds per second: 2 is twice as fast as it plays.' }),
    fps: z.number().nonnegative().optional().meta({ description: 'Frames converted per second.' }),
    etaSeconds: z.number().nonnegative().optional().meta({ description: 'Seconds that are probably left.' }),
    input: input.optional(),
    inputs: inputs.optional(),
    output: outputPath,
    format: format.optional(),
    parameters: parameters.optional(),
    llmId: llmId.optional(),
    retryOf: jobId.optional(),
    attempt: z.int().nonnegative().meta({ description: 'Tries begun so far.' }),
    maxAttempts: z.int().positive(),
    createdAt: moment('When the job was accepted.'),
    startedAt: moment('When its first try began.').optional(),
    completedAt: moment('When it ended, however it ended.').optional(),
    cancelRequestedAt: moment('When its cancellation was asked for.').optional(),
    error: failure.optional(),
    outputs: z.array(output).optional(),
    links,
  })
  .meta({ id: 'Job', description: 'A job. What is not known, or does not apply, is left out.' });

export const jobList = z
  .object({
    jobs: z.array(job),
    nextCursor: z.string().optional().meta({ description: 'Send as `cursor` for the next page; absent on the last.' }),
  })
  .meta({ id: 'JobList', description: 'Jobs, newest first.' });

export type JobView = z.infer<typeof job>;
export type JobListView = z.infer<typeof jobList>;
