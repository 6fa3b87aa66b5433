import { z } from 'zod';
import {
  type Batch,
  type BatchCounts,
  type BatchState,
  type BatchWithJobs,
  batchState,
  batchStatus,
  type EndedBatch,
} from '../domain/batch.ts';
import type { Job } from '../domain/job.ts';
import { JOB_STATUSES } from '../domain/states.ts';
import { redactUrl } from '../domain/url-input.ts';
import { acceptedSchema, acceptedView } from './accepted.ts';
import { list, number, text } from './described-schemas.ts';
import { dryRunSchema } from './dry-run.ts';
import { batchPath } from './endpoints.ts';
import { jobSchema, jobStatus } from './job.ts';
import { batchId, batchName, jobId } from './job-id.ts';
import { type JobViewer, jobView } from './job-view.ts';
import { metadata } from './metadata.ts';
import { nextCursor } from './paging.ts';
import type { Shape } from './shape.ts';

const name = batchName.optional();

export const acceptedBatchSchema = z
  .object({
    batchId,
    jobs: z.array(acceptedSchema.extend({ name })).meta({ description: 'The jobs, in the order of the requests.' }),
  })
  .meta({ id: 'AcceptedBatch', description: 'All jobs are stored and queued.' });

export const batchDryRunSchema = z
  .object({ jobs: z.array(dryRunSchema.extend({ name })) })
  .meta({ id: 'BatchDryRun', description: 'What each request would run. Nothing is queued.' });

const count = z.int().nonnegative();

const counts = z
  .object({
    total: count.meta({ description: 'The jobs that were submitted.' }),
    pending: count,
    processing: count,
    completed: count,
    failed: count,
    cancelled: count,
    deleted: count,
  })
  .meta({ id: 'BatchCounts', description: 'The number of jobs in each status.' });

const summary = {
  batchId,
  status: jobStatus.meta({
    description:
      'PENDING until a job starts, PROCESSING until all have ended, then FAILED if one failed, CANCELLED if one was ' +
      'cancelled, else COMPLETED.',
  }),
  counts,
  client: text('The id of the client that submitted it.', 'shop'),
  createdAt: z.iso.datetime(),
  callbackUrl: text(
    'The URL that gets the event at the end of the batch, without user name, password and query.',
    'https://example.org/hooks/telecine',
  ).optional(),
  links: z.object({ self: z.string(), cancel: z.string().optional() }),
};

const state = {
  ...summary,
  progress: number('The mean progress of all jobs in percent. A job that has ended counts 100, whatever its outcome.')
    .min(0)
    .max(100),
};

export const batchStateSchema = z
  .object(state)
  .meta({ id: 'BatchState', description: 'The state of a batch, without its jobs.' });

export const batchSchema = z
  .object({
    ...state,
    jobs: z.array(jobSchema).meta({ description: 'In the order of the requests, without deleted ones.' }),
  })
  .meta({ id: 'Batch', description: 'Jobs that were submitted together.' });

/** The data of the event at the end of a batch. The jobs are shortened, because 100 complete jobs can have megabytes. */
export const endedBatchSchema = z
  .object({
    ...state,
    jobs: z
      .array(
        z.object({
          jobId,
          name: batchName.exactOptional(),
          status: jobStatus,
          output: text('Absent if the request has several.').exactOptional(),
          requestedOutputs: list(z.object({ output: z.string() }), 'The paths of several outputs.').exactOptional(),
          metadata: metadata.exactOptional(),
          error: z.object({ code: z.string(), message: z.string() }).exactOptional(),
        }),
      )
      .meta({ description: 'How each job ended, in the order of the requests, without deleted ones.' }),
  })
  .meta({ id: 'EndedBatch', description: 'A batch at its end, with a short form of its jobs.' });

export const batchListSchema = z
  .object({ batches: z.array(z.object(summary).meta({ id: 'BatchSummary' })), nextCursor })
  .meta({ id: 'BatchList', description: 'Batches, newest first, without their jobs.' });

export type AcceptedBatchView = Shape<typeof acceptedBatchSchema>;
export type BatchStateView = Shape<typeof batchStateSchema>;
export type BatchView = Shape<typeof batchSchema>;
export type BatchListView = Shape<typeof batchListSchema>;
type EndedBatchView = Shape<typeof endedBatchSchema>;

export const acceptedBatchView = (batch: {
  readonly batchId: string;
  readonly jobs: readonly Pick<Job, 'jobId' | 'name' | 'waitingFor' | 'warnings'>[];
}): AcceptedBatchView => ({
  batchId: batch.batchId,
  jobs: batch.jobs.map((job) => ({ ...(job.name !== undefined && { name: job.name }), ...acceptedView(job) })),
});

export function batchSummaryView({
  batchId: id,
  clientId,
  createdAt,
  size,
  callbackUrl,
  counts: byStatus,
}: Batch & { readonly counts: BatchCounts }): BatchListView['batches'][number] {
  const status = batchStatus(byStatus);
  const self = batchPath(id);
  const present = JOB_STATUSES.reduce((sum, one) => sum + byStatus[one], 0);
  return {
    batchId: id,
    status,
    counts: {
      total: size,
      pending: byStatus.PENDING,
      processing: byStatus.PROCESSING,
      completed: byStatus.COMPLETED,
      failed: byStatus.FAILED,
      cancelled: byStatus.CANCELLED,
      deleted: size - present,
    },
    client: clientId,
    createdAt,
    callbackUrl: callbackUrl === undefined ? undefined : redactUrl(callbackUrl),
    links: { self, cancel: byStatus.PENDING + byStatus.PROCESSING > 0 ? `${self}/cancel` : undefined },
  };
}

export function batchStateView(batch: BatchState): BatchStateView {
  const { links, ...shown } = batchSummaryView(batch);
  return { ...shown, progress: batch.progress, links };
}

export function batchView({ jobs, ...batch }: BatchWithJobs, viewer: JobViewer = batch): BatchView {
  const { links, ...shown } = batchStateView(batchState(batch, jobs));
  return { ...shown, jobs: jobs.map((job) => jobView(job, viewer)), links };
}

export const endedBatchView = ({ jobs, ...batch }: EndedBatch): EndedBatchView => ({
  ...batchStateView(batchState(batch, jobs)),
  jobs: jobs.map(({ jobId: id, name: called, status, request: { output, outputs, metadata: own }, error }) => ({
    jobId: id,
    ...(called !== undefined && { name: called }),
    status,
    ...(output !== undefined && { output }),
    ...(outputs && { requestedOutputs: outputs.map(({ output: path }) => ({ output: path })) }),
    ...(own && { metadata: own }),
    ...(error && { error: { code: error.code, message: error.message } }),
  })),
});
