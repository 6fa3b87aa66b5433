import { z } from 'zod';
import {
  acceptedBatchSchema,
  acceptedBatchView,
  batchDryRunSchema,
  batchListSchema,
  batchSchema,
  batchView,
} from '../batch.ts';
import { batchBody } from '../conversion.ts';
import { text } from '../described-schemas.ts';
import { batchId } from '../job-id.ts';
import { cursor, flag, pageLimit } from '../paging.ts';
import { DRY_RUN_EXAMPLE, idempotencyKey } from './conversions.ts';
import { EXAMPLE_BATCH, EXAMPLE_BATCH_ID } from './examples.ts';
import { jsonBody, jsonReply, type Operations, token } from './operation.ts';

const params = z.object({ batchId });

/** The view of a batch as JSON, without undefined fields. */
const batchExample: unknown = JSON.parse(JSON.stringify(batchView(EXAMPLE_BATCH)));

export const BATCH_OPERATIONS = {
  submitBatch: {
    tag: 'Conversions',
    summary: 'Submit several conversions',
    description:
      'Stores up to 100 jobs, all or none, and replies at once. Each request is as `POST /api/conversion` accepts it. Its ' +
      '`after` can name other requests of the batch by their `name`, in any order. A request with `each` stands for one job for each ' +
      'file that a pattern matches. Fields of errors and warnings begin with ' +
      '`/requests/INDEX`. Each job counts towards the limits of submissions and of queued jobs.',
    access: token('jobs:write'),
    audit: { action: 'job.submit', target: 'new job' },
    query: z.strictObject({ dryRun: flag('`true`: only check the requests and return their plans.') }),
    headers: z.object({ 'Idempotency-Key': idempotencyKey }),
    limit: 'submissions',
    body: jsonBody(batchBody, {
      requests: [
        { name: 'film', input: 'movies/in.mov', output: 'movies/out.mp4' },
        { input: 'movies/out.mp4', output: 'movies/out.jpg', after: ['film'], parameters: { 'frames:v': '1' } },
        { each: 'wavs/*.wav', output: 'mp3/{name}.mp3' },
      ],
    }),
    replies: {
      200: jsonReply('With `dryRun=true`: the plans.', batchDryRunSchema, { jobs: [DRY_RUN_EXAMPLE] }),
      202: jsonReply('All jobs are stored and queued.', acceptedBatchSchema, acceptedBatchView(EXAMPLE_BATCH), {
        Location: text('The path of the batch.', `/api/conversions/${EXAMPLE_BATCH_ID}`),
      }),
    },
    problems: ['IDEMPOTENCY_CONFLICT', 'QUOTA_EXCEEDED', 'INPUT_UNAVAILABLE', 'TIMEOUT'],
  },
  listBatches: {
    tag: 'Jobs',
    summary: 'List batches',
    description: "Lists the client's batches, newest first. With the scope `admin`, lists the batches of all clients.",
    access: token('jobs:read'),
    query: z.strictObject({ limit: pageLimit('Batches', 100, 20), cursor: cursor() }),
    replies: { 200: jsonReply('One page.', batchListSchema, { batches: [] }) },
  },
  getBatch: {
    tag: 'Jobs',
    summary: 'Get a batch',
    description: 'Returns the status and the progress of the batch, and all its jobs.',
    access: token('jobs:read'),
    params,
    replies: { 200: jsonReply('The batch.', batchSchema, batchExample) },
    problems: ['BATCH_NOT_FOUND'],
  },
  cancelBatch: {
    tag: 'Jobs',
    summary: 'Cancel a batch',
    description: 'Cancels all jobs of the batch that have not ended. Running jobs end soon after the reply.',
    access: token('jobs:write'),
    audit: { action: 'batch.cancel', target: 'batchId' },
    params,
    replies: { 202: jsonReply('The batch as it is now.', batchSchema, batchExample) },
    problems: ['BATCH_NOT_FOUND', 'BATCH_FINISHED'],
  },
} satisfies Operations;
