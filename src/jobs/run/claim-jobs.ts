import type { Claim, Delivery, JobQueue, JobStore, Transactions } from '../ports.ts';

/** A job that belongs to this worker, and the delivery that it came with. */
export interface ClaimedJob {
  readonly claim: Claim;
  readonly delivery: Delivery;
}

/** Stale tickets that one transaction removes. All other writes wait for it. */
const MAX_STALE_TICKETS = 200;

/**
 * Takes up to `slots` tickets and claims their jobs in the same transaction, so that a crash in between loses no job.
 * Removes tickets of jobs that ended while they were queued. `more`: other jobs may be queued behind those, or the
 * transaction waited `maxWaitMs` for the disk and took nothing, so that the caller can renew its leases first.
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
