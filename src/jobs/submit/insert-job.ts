import type { IdempotencyRecord } from '../ports/idempotency-store.ts';
import { type InsertBatcherDeps, insertBatcher } from './insert-batcher.ts';
import { type DependentJob, type InsertDependentsDeps, insertDependents } from './insert-dependents.ts';
import type { JobToInsert } from './insert-jobs.ts';

export interface InsertedJob {
  /** The earlier use of the idempotency key. Then no job was stored. */
  readonly earlier?: IdempotencyRecord | undefined;
  /** What the job waits for. Absent if it waits for nothing. */
  readonly waitingFor?: readonly string[] | undefined;
}

/**
 * Stores a job, and resolves once it is on disk. `after`: the jobs that it waits for. Throws INVALID_REQUEST if one of them has
 * failed meanwhile.
 */
export type InsertJob = (job: JobToInsert, after?: DependentJob['after']) => Promise<InsertedJob>;

/** A job that waits for others has its own transaction, which locks them. All others share transactions. */
export function jobInsertion(deps: InsertBatcherDeps & InsertDependentsDeps): InsertJob {
  const insertTogether = insertBatcher(deps);
  return async (job, after) => {
    if (after === undefined) return { earlier: await insertTogether(job) };
    const { earlier, waitingFor } = await deps.transactions.run((tx) =>
      insertDependents(deps, tx, [{ ...job, after }]),
    );
    return { earlier: earlier[0], waitingFor: waitingFor.get(job.jobId) };
  };
}
