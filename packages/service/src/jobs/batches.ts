import type { Batch, BatchCounts } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isFinished } from '@telecine/contract/domain/states.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { type CancelDeps, cancelJobs } from './job-actions.ts';
import {
  canSeeAllJobs,
  type LongReadOptions,
  markPaused,
  type QueuePausedAt,
  type ReadStep,
  readInSteps,
} from './job-reads.ts';
import type { BatchJobState, BatchStore } from './ports/job-records.ts';
import type { JobSize, JobStore } from './ports/job-store.ts';

/** A batch. Its jobs are read only when they are needed, because all of them together can take 100 MB. */
export interface BatchToRead {
  readonly batch: Batch;
  readonly states: readonly (BatchJobState & JobSize)[];
  /** The stored size of all jobs of the batch together, in bytes. */
  readonly bytes: number;
  /** Reads the jobs in groups, in the order of the requests. Skips jobs that were deleted since the batch was read. */
  jobs(): AsyncIterable<Job>;
  /** Reads all jobs of the batch into memory at once. */
  allJobs(options?: LongReadOptions): Promise<readonly Job[]>;
}

/** Returns a batch without its jobs. Throws BATCH_NOT_FOUND if the batch belongs to another client. */
export async function authorizeBatch(
  batches: Pick<BatchStore, 'get'>,
  caller: Caller,
  batchId: string,
): Promise<Batch> {
  const batch = await batches.get(batchId);
  if (batch === undefined || (batch.clientId !== caller.clientId && !canSeeAllJobs(caller)))
    throw new Problem('BATCH_NOT_FOUND', `Batch ${batchId} does not exist, or it belongs to another client.`);
  return batch;
}

interface ReadBatchDeps {
  readonly batches: Pick<BatchStore, 'get' | 'statesOf'>;
  readonly jobs: Pick<JobStore, 'getMany'>;
  readonly step: ReadStep;
  readonly turn: ReadStep;
  readonly queuePausedAt: QueuePausedAt;
}

/**
 * Returns a batch. Its jobs are not read yet: see `BatchToRead`. Throws BATCH_NOT_FOUND if the batch belongs to another
 * client.
 */
export async function readBatch(deps: ReadBatchDeps, caller: Caller, batchId: string): Promise<BatchToRead> {
  const { batches, queuePausedAt, turn } = deps;
  const [batch, states] = await Promise.all([authorizeBatch(batches, caller, batchId), batches.statesOf(batchId)]);
  const bytes = states.reduce((sum, state) => sum + state.bytes, 0);
  const read = async function* (signal?: AbortSignal): AsyncGenerator<Job, void> {
    for await (const jobs of readInSteps(deps, caller.clientId, states, signal))
      yield* await markPaused(queuePausedAt, jobs);
  };
  const allJobs = ({ hangUp = NEVER, requireRoom }: LongReadOptions = {}): Promise<readonly Job[]> =>
    turn(caller.clientId, hangUp, async () => {
      requireRoom?.(states);
      const jobs: Job[] = [];
      for await (const job of read(hangUp)) jobs.push(job);
      return jobs;
    });
  return { batch, states, bytes, jobs: () => read(), allJobs };
}

/** Lists one page of batches, newest first. An admin sees the batches of all clients, others see only their own. */
export async function listBatchPage(
  batches: Pick<BatchStore, 'list'>,
  caller: Caller,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string },
): Promise<{ readonly batches: readonly (Batch & { readonly counts: BatchCounts })[]; readonly nextCursor?: string }> {
  // Read one batch more than the page holds, to learn whether there is a next page.
  const found = await batches.list({
    limit: limit + 1,
    ...(canSeeAllJobs(caller) ? {} : { clientId: caller.clientId }),
    ...(cursor && { before: cursor }),
  });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return found.length > limit && last !== undefined ? { batches: page, nextCursor: last.batchId } : { batches: page };
}

/** Cancels the unfinished jobs of a batch. Throws BATCH_NOT_FOUND, BATCH_FINISHED. */
export async function cancelBatch(
  deps: CancelDeps & ReadBatchDeps,
  caller: Caller,
  batchId: string,
): Promise<BatchToRead> {
  let batch = await readBatch(deps, caller, batchId);
  if (batch.states.every(({ status }) => isFinished(status)))
    throw new Problem('BATCH_FINISHED', `All jobs of batch ${batchId} have ended, so none can be cancelled.`);
  // Meanwhile, a worker may claim or requeue a job. Then cancel it in its new status.
  for (;;) {
    const left = batch.states.filter(({ status }) => !isFinished(status));
    const done = await cancelJobs(deps, left);
    batch = await readBatch(deps, caller, batchId);
    if (done.length >= left.length) return batch;
  }
}
