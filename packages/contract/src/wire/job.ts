import { z } from 'zod';
import { FAILURE_CODES } from '../domain/failure.ts';
import { FIRST_OUTPUTS, SAMPLED_FOR, STREAM_TYPES } from '../domain/job.ts';
import { JOB_PHASES, JOB_STATUSES } from '../domain/states.ts';
import { analysisSpec, measurementsSchema } from './analysis.ts';
import { conversionBody } from './conversion.ts';
import { choice, count, list, moment, number, text } from './described-schemas.ts';
import { outputFrameSize } from './frame-size.ts';
import { batchId, batchName, jobId, waitingFor, watchId } from './job-id.ts';
import { outputLadder } from './ladder.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import { patch } from './problem.ts';
import { outputQuality } from './quality.ts';
import type { Shape } from './shape.ts';
import { warnings } from './warning.ts';

/** The maximum number of outputs, or of links to outputs, on one page. */
export const MAX_OUTPUTS = 1000;

export const jobStatus = z.enum(JOB_STATUSES).meta({
  id: 'JobStatus',
  description: 'PENDING → PROCESSING → COMPLETED, FAILED or CANCELLED. An automatic retry goes back to PENDING.',
});

export const outputStream = z
  .object({
    index: z.int().nonnegative(),
    type: z.enum(STREAM_TYPES),
    codec: z.string(),
    profile: text('The profile of the codec, if ffmpeg reports it.', 'LC').exactOptional(),
    language: text('The language, if the container stores it.', 'eng').exactOptional(),
    disposition: list(z.string(), 'The flags that are set, if the container stores them.', ['default']).exactOptional(),
    width: z.int().exactOptional(),
    height: z.int().exactOptional(),
    fps: z.number().exactOptional(),
    pixelFormat: text('The pixel format that the encoder received.', 'yuv420p').exactOptional(),
    sampleRate: z.int().exactOptional(),
    channels: z
      .string()
      .exactOptional()
      .meta({ examples: ['stereo'] }),
  })
  .meta({ id: 'OutputStream', description: 'One stream of an output, as ffmpeg reports it.' });

export const jobOutput = z
  .object({
    path: text("Relative to the client's media root, or `s3://bucket/key`."),
    sizeBytes: z.int().nonnegative(),
    durationSeconds: z.number().nonnegative().exactOptional(),
    streams: z.array(outputStream).exactOptional(),
    quality: outputQuality.exactOptional(),
    ladder: outputLadder.exactOptional(),
    frameSize: outputFrameSize.exactOptional(),
  })
  .meta({ id: 'JobOutput', description: 'A file that a completed job published.' });

export const outputListSchema = z
  .object({
    outputs: z.array(jobOutput),
    outputCount: count('The number of all outputs of the job.', 1),
    nextCursor,
  })
  .meta({ id: 'OutputList', description: 'Outputs of a job: first the outputs that the request names.' });

export const outputListQuery = z.strictObject({
  limit: pageLimit('Outputs', MAX_OUTPUTS, FIRST_OUTPUTS),
  cursor: cursor(),
});

const failure = z
  .object({
    code: z.enum(FAILURE_CODES),
    message: z.string(),
    fix: text('How to fix it, if that is known.').optional(),
    apply: patch,
  })
  .meta({ id: 'JobError', description: 'Why a job failed, or why it is queued for a retry.' });

const links = z
  .object({
    self: z.string(),
    log: z.string(),
    cancel: text('Present while the job can be cancelled.').optional(),
    retry: text('Present once the job is finished.').optional(),
    output: text('Present while the job is COMPLETED and its outputs have not expired.').optional(),
    outputs: text('Lists all outputs, in pages. Present once the job has outputs.').optional(),
    signed: text('Returns signed links to the outputs. Present if `output` is present.').optional(),
    key: text('Returns the key. Present for the client of the job, if the request has `encrypt`.').optional(),
  })
  .meta({ id: 'JobLinks', description: 'URLs of related operations.' });

/** The fields of a request. A job has only the fields that the client sent. */
const sent = z.object(conversionBody.shape).partial();

/** No view has the key of an encrypted output. */
const encryptView = conversionBody.shape.encrypt.unwrap().omit({ key: true }).optional();

const sentRequest = sent.extend({ encrypt: encryptView }).meta({
  id: 'SentRequest',
  description:
    'The request as it was sent, with keys and passwords hidden: the recipe with the arguments that were sent, and only the options that were ' +
    'sent beside it. Send it again for another job of the recipe; `apply` of `error` and of `warnings` changes it. Present if the job runs ' +
    'something else, because a recipe was applied or `fallback` chosen. Otherwise the members of the job are those that were sent.',
});

export const jobSchema = z
  .object({
    jobId,
    status: jobStatus,
    message: text('The status as a sentence.'),
    phase: choice(
      JOB_PHASES,
      'What the job does while it is PROCESSING. SAMPLING: it encodes samples, to choose the frame size, the quality or a ladder; see `samples`.',
    ).optional(),
    phases: list(
      z.object({ phase: z.enum(JOB_PHASES), startedAt: moment('When the phase began.') }),
      'The phases of the newest attempt, in their order. Each ends when the next begins, and the last when the attempt ends. ' +
        'STAGING includes the wait for a slot of the worker. Absent while the job is queued.',
    ).optional(),
    progress: number('Progress in percent.').min(0).max(100).optional(),
    speed: number('Media seconds per second: 2 is twice as fast as playback.').nonnegative().optional(),
    fps: number('Frames converted per second.').nonnegative().optional(),
    etaSeconds: number('Estimated seconds until the conversion ends, by its speed in the last half minute.')
      .nonnegative()
      .optional(),
    encodedChunks: z.object({ done: z.int().nonnegative(), total: z.int().positive() }).optional().meta({
      description:
        'How many chunks are encoded, while a job runs in chunks. All streams of an output except its videos count as one more chunk.',
    }),
    samples: z
      .object({ choose: z.enum(SAMPLED_FOR), done: z.int().nonnegative(), total: z.int().positive() })
      .optional()
      .meta({
        description:
          'How many samples of the input were encoded and compared, while the job is in the phase SAMPLING. They choose the frame size for a bit ' +
          'rate, the value of the encoder for `quality`, or the versions of `ladder`. `total` is what this usually takes: it may end earlier, and ' +
          '`total` rises if it takes more.',
        examples: [{ choose: 'frameSize', done: 4, total: 12 }],
      }),
    ...sent.pick({
      input: true,
      inputs: true,
      join: true,
      cut: true,
      transcribe: true,
      quality: true,
      ladder: true,
      frameSize: true,
    }).shape,
    ...sent.pick({ output: true }).shape,
    requestedOutputs: sent.shape.outputs.meta({
      description:
        '`outputs` of the request. `outputs` of a job are the files that it published: first these, in the same order.',
    }),
    analysis: analysisSpec.optional().meta({
      description:
        'What the job measures, if it is an analysis. It has no output. `settings` has all that are used, also the defaults.',
    }),
    ...sent.pick({ format: true, parameters: true, fallback: true }).shape,
    encrypt: encryptView.meta({ description: 'How HLS is encrypted. No view has the key.' }),
    thumbnailTrack: sent.shape.thumbnailTrack,
    chunks: sent.shape.chunks,
    preset: sent.shape.preset.meta({
      description:
        'The recipe. When the job has run: with its version and all arguments, and its options in `parameters` and `inputs`.',
    }),
    request: sentRequest.optional(),
    ...sent.pick({ strict: true, llmId: true, metadata: true, expiresAfterSeconds: true, priority: true }).shape,
    batchId: batchId.optional(),
    watchId: watchId.optional().meta({ description: 'The watch that has submitted it.' }),
    name: batchName.optional(),
    after: sent.shape.after,
    waitingFor: waitingFor.optional(),
    callbackUrl: text(
      'The URL that gets the event at the end of the job, without user name, password and query.',
      'https://example.org/hooks/telecine?(hidden)',
    ).optional(),
    client: text('The id of the client that submitted it.', 'shop'),
    retryOf: jobId.optional().meta({ description: 'The job that this one runs again, perhaps with another request.' }),
    retriedAs: jobId.optional().meta({
      description: 'The newest job that runs this one again and was not cancelled. Its `retryOf` is this job.',
    }),
    attempt: count('The number of attempts so far.'),
    workerId: text('The worker of the newest attempt. `GET /api/workers` lists them for administrators.').optional(),
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
    outputs: list(
      jobOutput,
      `The files that the job has published, at most ${FIRST_OUTPUTS}: those that the request names, in its order, come ` +
        'first. `outputCount` is the number of all, and `links.outputs` lists all in pages.',
    )
      .max(FIRST_OUTPUTS)
      .optional(),
    outputCount: count(
      'The number of all outputs. If it is greater than the length of `outputs`, `links.outputs` has the others.',
      1,
    ).optional(),
    measurements: measurementsSchema.optional(),
    expiresAt: moment('When the outputs are removed. Absent if they stay, and until the job is COMPLETED.').optional(),
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

export type JobView = Shape<typeof jobSchema>;
export type JobListView = Shape<typeof jobListSchema>;
