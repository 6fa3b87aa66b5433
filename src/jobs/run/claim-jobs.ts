import type { Claim, Delivery, JobQueue, JobStore, Transactions } from '../ports.ts';

/** A job that this worker has claimed, and the delivery of its ticket. */
export interface ClaimedJob {
  readonly claim: Claim;
  readonly delivery: Delivery;
}

/** The most stale tickets that one transaction removes. All other writes wait for that transaction. */
const MAX_STALE_TICKETS = 200;

/**
 * Takes up to `slots` tickets and claims their jobs in the same transaction, so that a crash in between loses no job.
 * Removes the tickets of jobs that ended while they were queued. Takes nothing if the transaction had to wait
 * `maxWaitMs` or longer for the disk, so that the caller can renew its leases first. `more`: whether to claim again at
 * once, because nothing was taken for that reason or other jobs may be queued behind the removed tickets.
 */
export const claimJobs = (
  deps: {
    readonly transactions: Transactions;
    readonly queue: Pick<JobQueue, 'take' | 'remove'>;
    readonly jobs: Pick<JobStore, 'claim'>;
    readonly now: () => Date;
  },
  slots: number,
  perClient: number,
  maxWaitMs: number,
): Promise<{ readonly claimed: readonly ClaimedJob[]; readonly more: boolean }> => {
  const requestedAt = performance.now();
  return deps.transactions.run(async (tx) => {
    if (performance.now() - requestedAt >= maxWaitMs) return { claimed: [], more: true };
    const claimed: ClaimedJob[] = [];
    let stale = 0;
    let more = false;
    do {
      const staleBefore = stale;
      for (const delivery of await deps.queue.take(tx, slots - claimed.length, perClient)) {
        const claim = await deps.jobs.claim(tx, delivery.jobId, deps.now().toISOString());
        if (claim !== undefined) claimed.push({ claim, delivery });
        else {
          await deps.queue.remove(tx, delivery);
          stale += 1;
        }
      }
      more = stale > staleBefore;
    } while (more && stale < MAX_STALE_TICKETS);
    return { claimed, more };
  });
};
