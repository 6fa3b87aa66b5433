import type { Failure } from '../../domain/failure.ts';
import { commitIf } from '../commit-if.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { JobQueue, JobStore, Transactions } from '../ports.ts';
import type { ClaimedJob } from './claim-jobs.ts';
import type { Requeue } from './decide-outcome.ts';

export interface RequeueDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'requeue'>;
  readonly queue: Pick<JobQueue, 'requeue'>;
  readonly changes: JobChangeSink;
}

/**
 * Sends a running job back to the queue. If the attempt counts, the job shows its failure until the next attempt
 * starts. Resolves to false, and changes nothing, if another worker has the job.
 */
export async function requeueJob(
  { transactions, jobs, queue, changes }: RequeueDeps,
  { claim, delivery }: ClaimedJob,
  { keepAttempt, delaySeconds }: Requeue,
  failure: Failure | undefined,
): Promise<boolean> {
  const requeued = await commitIf(
    transactions,
    async (tx) =>
      (await queue.requeue(tx, delivery, delaySeconds)) &&
      (await jobs.requeue(tx, claim, keepAttempt, keepAttempt ? failure : undefined)),
  );
  const { jobId, clientId } = claim.job;
  if (requeued) changes.publish({ kind: 'requeued', jobId, clientId });
  return requeued;
}
