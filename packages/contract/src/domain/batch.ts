import type { Job } from './job.ts';
import { invalidRequest, type Problem } from './problem.ts';
import { isFinished, JOB_STATUSES, type JobStatus } from './states.ts';

/** Jobs that were submitted together. */
export interface Batch {
  /** UUID version 7: sorts by creation time. */
  readonly batchId: string;
  readonly clientId: string;
  readonly createdAt: string;
  /** How many jobs the client submitted, also deleted ones. */
  readonly size: number;
  /** The URL that gets the end of the batch. It can contain secrets; views hide them (`redactUrl`). */
  readonly callbackUrl?: string;
}

/** A job as its batch knows it, also after its deletion. */
export interface BatchMember {
  readonly jobId: string;
  readonly name?: string;
}

export type BatchCounts = Readonly<Record<JobStatus, number>>;

/** A batch with its jobs that are not deleted, in the order of the requests. */
export interface BatchWithJobs extends Batch {
  readonly jobs: readonly Job[];
}

/** A batch whose jobs have all ended, with what its event shows of each job that is not deleted. */
export interface EndedBatch extends Batch {
  readonly jobs: readonly Pick<Job, 'jobId' | 'name' | 'status' | 'request' | 'error'>[];
}

/** A batch as a whole, without its jobs. `progress`: see `batchProgress`. */
export interface BatchState extends Batch {
  readonly counts: BatchCounts;
  readonly progress: number;
}

/** The problem of a batch that exceeds a limit by itself. `unit`: what the limit counts, such as `queued jobs`. */
export const batchTooLarge = (size: number, limit: number, unit: string): Problem =>
  invalidRequest([
    {
      field: '/requests',
      code: 'TOO_MANY',
      message: `The batch has ${size} jobs, and you may have at most ${limit} ${unit}.`,
      fix: `Send at most ${limit}, and the others later in another batch.`,
    },
  ]);

export const NO_JOBS: BatchCounts = { PENDING: 0, PROCESSING: 0, COMPLETED: 0, FAILED: 0, CANCELLED: 0 };

export function countJobs(jobs: readonly Pick<Job, 'status'>[]): BatchCounts {
  const counts = { ...NO_JOBS };
  for (const { status } of jobs) counts[status] += 1;
  return counts;
}

/** Orders unfinished jobs so that each comes before its parents, and can be cancelled before the end of a parent fails it. */
export function dependentsFirst<J extends Pick<Job, 'jobId' | 'waitingFor'>>(jobs: readonly J[]): readonly J[] {
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  const parentsFirst = new Set<J>();
  const add = (job: J): void => {
    if (parentsFirst.has(job)) return;
    for (const parentId of job.waitingFor ?? []) {
      const parent = byId.get(parentId);
      if (parent !== undefined) add(parent);
    }
    parentsFirst.add(job);
  };
  for (const job of jobs) add(job);
  return [...parentsFirst].toReversed();
}

/**
 * The status of a batch: PENDING until a job starts, PROCESSING until all have ended, then FAILED if one failed,
 * CANCELLED if one was cancelled, else COMPLETED. Deleted jobs do not count.
 */
export function batchStatus(counts: BatchCounts): JobStatus {
  const unfinished = counts.PENDING + counts.PROCESSING;
  const total = JOB_STATUSES.reduce((sum, status) => sum + counts[status], 0);
  if (unfinished > 0) return counts.PENDING === total ? 'PENDING' : 'PROCESSING';
  if (counts.FAILED > 0) return 'FAILED';
  return counts.CANCELLED > 0 ? 'CANCELLED' : 'COMPLETED';
}

/** The mean progress of all jobs in percent. A job that has ended counts 100, whatever its outcome. */
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

/** The state of a batch. `jobs`: its jobs without deleted ones. */
export const batchState = (batch: Batch, jobs: readonly Pick<Job, 'status' | 'progress'>[]): BatchState => ({
  ...batch,
  counts: countJobs(jobs),
  progress: batchProgress({ size: batch.size, jobs }),
});
