import type { IdempotencyRecord } from '../ports/job-records.ts';
import { type InsertBatcherDeps, type InsertTogether, insertBatcher } from './insert-batcher.ts';
import { type DependentJob, type InsertDependentsDeps, insertDependents } from './insert-dependents.ts';
import type { JobToInsert } from './insert-jobs.ts';

export interface InsertedJob {
  /** The earlier use of the idempotency key. Then no job was stored. */
  readonly earlier: IdempotencyRecord | undefined;
  /** What the job waits for. Absent if it waits for nothing. */
  readonly waitingFor?: readonly string[] | undefined;
}

/** The two ways to store a job. Each resolves once the job is on disk. */
export interface JobInsertion {
  /** Stores a job that waits for no other job. Such jobs share transactions. */
  readonly insertJob: InsertTogether;
  /**
   * Stores a job that waits for the jobs in `after`, in a transaction of its own that locks these. Throws INVALID_REQUEST if one of
   * them has failed meanwhile.
   */
  readonly insertDependentJob: (job: JobToInsert, after: DependentJob['after']) => Promise<InsertedJob>;
}

/** Creates both functions on one batcher. */
export const jobInsertion = (deps: InsertBatcherDeps & InsertDependentsDeps): JobInsertion => ({
  insertJob: insertBatcher(deps),
  insertDependentJob: async (job, after) => {
    const { earlier, waitingFor } = await deps.transactions.run((tx) =>
      insertDependents(deps, tx, [{ ...job, after }]),
    );
    return { earlier: earlier[0], waitingFor: waitingFor.get(job.jobId) };
  },
});
