import { commitIf } from '../commit-if.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { JobQueue } from '../ports/job-queue.ts';
import type { JobClaims, JobStore } from '../ports/job-store.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import type { ClaimedJob } from './claim-jobs.ts';
import type { Requeue } from './decide-outcome.ts';

export interface RequeueDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobClaims, 'requeue' | 'setNeeds'> & Pick<JobStore, 'ticketOf'>;
  readonly queue: Pick<JobQueue, 'requeue' | 'remove' | 'enqueue'>;
  readonly changes: JobChangeSink;
}

/**
 * Sends a running job back to the queue. The job shows the reason until the next attempt starts. With `needs`, only workers that have them get the job. Resolves to false, and changes nothing, if another
 * worker has the job.
 */
export async function requeueJob(
  { transactions, jobs, queue, changes }: RequeueDeps,
  { claim, delivery }: ClaimedJob,
  { delaySeconds, needs, ...options }: Requeue,
): Promise<boolean> {
  const { jobId, clientId } = claim.job;
  const old = needs && (await jobs.ticketOf(jobId));
  const ticket = needs && old && { ...old, needs };
  /** A ticket is in the queue of its needs: the old one goes, and a new one with the same rank comes. */
  const requeueTicket = async (tx: Tx): Promise<boolean> => {
    if (ticket === undefined) return queue.requeue(tx, delivery, delaySeconds);
    if (!(await queue.remove(tx, delivery))) return false;
    await queue.enqueue(tx, [ticket]);
    return jobs.setNeeds(tx, claim, ticket.needs);
  };
  const requeued = await commitIf(
    transactions,
    async (tx) => (await requeueTicket(tx)) && (await jobs.requeue(tx, claim, options)),
  );
  if (requeued) changes.publish({ kind: 'requeued', jobId, clientId });
  return requeued;
}
