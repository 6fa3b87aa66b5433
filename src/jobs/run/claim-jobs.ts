import type { Claim, Delivery, JobQueue, JobStore, Transactions } from '../ports.ts';

/** A job that is this worker's, and the ticket that it came with. */
export interface ClaimedJob {
  readonly claim: Claim;
  readonly delivery: Delivery;
}

/** Stale tickets that one transaction clears away: all other writes wait for it. */
const MOST_STALE = 200;

/**
 * Takes up to `slots` jobs and claims them in the same transaction, so that a crash in between loses neither. Tickets
 * of jobs that ended while they waited are finished on the way; `more`: there may be others behind those.
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
): Promise<{ readonly taken: readonly ClaimedJob[]; readonly more: boolean }> =>
  deps.transactions.run(async (tx) => {
    const taken: ClaimedJob[] = [];
    let stale = 0;
    let more = false;
    do {
      const before = stale;
      for (const delivery of await deps.queue.take(tx, slots - taken.length, perClient)) {
        const claim = await deps.jobs.claim(tx, delivery.jobId, deps.now().toISOString());
        if (claim !== undefined) taken.push({ claim, delivery });
        else {
          await deps.queue.remove(tx, delivery);
          stale += 1;
        }
      }
      more = stale > before;
    } while (more && stale < MOST_STALE);
    return { taken, more };
  });
