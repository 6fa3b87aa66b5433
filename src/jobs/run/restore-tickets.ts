import type { JobQueue } from '../ports/job-queue.ts';
import type { JobStore } from '../ports/job-store.ts';
import type { Transactions } from '../ports/transactions.ts';

/** The tickets per transaction. */
const BATCH = 500;

/**
 * Adds the missing tickets of jobs that have not ended, so that no accepted job waits for ever. A job that ends meanwhile
 * leaves a stale ticket, which the next claim removes. Does nothing for an engine that loses no tickets.
 */
export async function restoreTickets(deps: {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'ticketsOf'>;
  readonly queue: Pick<JobQueue, 'restore'>;
}): Promise<void> {
  const { transactions, jobs, queue } = deps;
  if (queue.restore === undefined) return;
  let last = '';
  for (let size = BATCH; size === BATCH; ) {
    const tickets = await jobs.ticketsOf(last, BATCH);
    size = tickets.length;
    last = tickets.at(-1)?.jobId ?? last;
    if (size > 0) await transactions.run(async (tx) => queue.restore?.(tx, tickets));
  }
}
