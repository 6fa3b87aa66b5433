import { type Delivery, type FetchRoom, type JobQueue, type TakeRequest, weightIn } from '../ports/job-queue.ts';
import type { Claim, JobClaims } from '../ports/job-store.ts';
import type { Transactions } from '../ports/transactions.ts';
import { freeSessions } from './worker-room.ts';

/** A job that this worker has claimed, and the delivery of its ticket. */
export interface ClaimedJob {
  readonly claim: Claim;
  readonly delivery: Delivery;
}

/** The maximum number of stale tickets that one transaction removes, because all other writes wait for it. */
const MAX_STALE_TICKETS = 200;

/**
 * Takes the tickets for one request after the other, and claims their jobs, in one transaction. Removes stale tickets,
 * whose jobs have ended. If the transaction started later than `maxWaitMs` after the call, takes nothing, so that the
 * caller can renew its leases first. `more`: the caller should claim again at once, because of this wait or because
 * more jobs may follow the removed tickets.
 */
export const claimJobs = (
  deps: {
    readonly transactions: Transactions;
    readonly queue: Pick<JobQueue, 'take' | 'remove'>;
    readonly jobs: Pick<JobClaims, 'claim'>;
    readonly now: () => Date;
    readonly workerId?: string;
  },
  requests: readonly TakeRequest[],
  maxWaitMs: number,
): Promise<{ readonly claimed: readonly ClaimedJob[]; readonly more: boolean }> => {
  const requestedAt = performance.now();
  return deps.transactions.run(async (tx) => {
    if (performance.now() - requestedAt >= maxWaitMs) return { claimed: [], more: true };
    const claimed: ClaimedJob[] = [];
    let stale = 0;
    let more = false;
    // All requests share the same devices, so each request gets the devices that the requests before it have left.
    let devices = requests[0]?.devices;
    for (const request of requests) {
      let { slots, room, fetches } = request;
      do {
        more = false;
        const hasNoRoom = room !== undefined && room.free <= 0 && (fetches === undefined || fetches.free <= 0);
        const isFull = slots <= 0 || hasNoRoom;
        const rest = {
          ...request,
          slots,
          ...(room && { room }),
          ...(fetches && { fetches }),
          ...(devices && { devices }),
        };
        for (const delivery of isFull ? [] : await deps.queue.take(tx, rest)) {
          const claim = await deps.jobs.claim(tx, delivery.jobId, deps.now().toISOString(), deps.workerId);
          if (claim !== undefined) {
            claimed.push({ claim, delivery });
            slots -= 1;
            room = room && { ...room, free: room.free - weightIn(room, delivery) };
            devices = devices && freeSessions(devices, [delivery.needs]);
            if (delivery.lane === 'fetch') fetches = fetches && withFetch(fetches, delivery.clientId);
          } else {
            await deps.queue.remove(tx, delivery);
            stale += 1;
            more = true;
          }
        }
      } while (more && stale < MAX_STALE_TICKETS);
      if (more) break;
    }
    return { claimed, more };
  });
};

const withFetch = ({ free, perClient, ofClients }: FetchRoom, clientId: string): FetchRoom => ({
  free: free - 1,
  perClient,
  ofClients: new Map(ofClients).set(clientId, (ofClients.get(clientId) ?? 0) + 1),
});
