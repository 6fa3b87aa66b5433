import type { Job } from './job.ts';
import { invalidRequest, type Problem } from './problem.ts';
import { isFinished, JOB_STATUSES, type JobStatus } from './states.ts';

export interface Batch {
  /** UUID version 7: sorts by creation time. */
  readonly batchId: string;
  readonly clientId: string;
  readonly createdAt: string;
  /** How many jobs the client submitted. Includes deleted jobs. */
  readonly size: number;
  /** The URL that receives the event at the end of the batch. The URL can contain secrets; views hide them (`redactUrl`). */
  readonly callbackUrl?: string;
}

/** The data that a batch stores about one of its jobs. It remains after the job is deleted. */
export interface BatchMember {
  readonly jobId: string;
  readonly name?: string;
}

export type BatchCounts = Readonly<Record<JobStatus, number>>;

/** A batch with its jobs, in the order of the requests. Deleted jobs are missing. */
export interface BatchWithJobs extends Batch {
  readonly jobs: readonly Job[];
}

/** A batch whose jobs have all ended, with the data of each job for the event at its end. Deleted jobs are missing. */
export interface EndedBatch extends Batch {
  readonly jobs: readonly Pick<Job, 'jobId' | 'name' | 'status' | 'request' | 'error'>[];
}

/** The state of a batch as a whole, without its jobs. */
export interface BatchState extends Batch {
  readonly counts: BatchCounts;
  readonly progress: number;
}

/** The problem for a batch that alone exceeds a limit. `unit`: what the limit counts, such as `queued jobs`. */
export const batchTooLarge = (size: number, limit: number, unit: string): Problem =>
  invalidRequest([
    {
      field: '/requests',
      code: 'TOO_MANY',
      message: `The batch has ${size} jobs, and you may have at most ${limit} ${unit}.`,
    },
  ]);

export const NO_JOBS: BatchCounts = { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };

export function countJobs(jobs: readonly Pick<Job, 'status'>[]): BatchCounts {
  const counts = { ...NO_JOBS };
  for (const { status } of jobs) counts[status] += 1;
  return counts;
}

/**
 * The status of a batch. PENDING: no job has started. PROCESSING: some jobs have not ended. Afterwards FAILED if a job failed, else
 * CANCELLED if a job was cancelled, else COMPLETED. Deleted jobs do not count.
 */
export function batchStatus(counts: BatchCounts): JobStatus {
  const unfinished = counts.PENDING + counts.PROCESSING;
  const total = JOB_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  if (unfinished > 0) return counts.PENDING === total ? 'PENDING' : 'PROCESSING';
  if (counts.FAILED > 0) return 'FAILED';
  return counts.CANCELLED > 0 ? 'CANCELLED' : 'COMPLETED';
}

/** The mean progress of all jobs in percent. A job that has ended counts as 100, whatever its outcome. */
export function batchProgress({
  jobs,
  size,
}: Pick<Batch, 'size'> & { readonly jobs: readonly Pick<Job, 'status' | 'progress'>[] }): number {
  const deleted = size - jobs.length;
  const sum = jobs.reduce(
    (all, { status, progress }) =>
      all + (isFinished(status) ? 100 : status === 'PROCESSING' ? (progress?.percent ?? 0) : 0),
    100 * deleted,
  );
  return Math.round((10 * sum) / Math.max(1, size)) / 10;
}

/** The state of a batch. `jobs`: the jobs of the batch that are not deleted. */
export const batchState = (batch: Batch, jobs: readonly Pick<Job, 'status' | 'progress'>[]): BatchState => ({
  ...batch,
  counts: countJobs(jobs),
  progress: batchProgress({ size: batch.size, jobs }),
});
