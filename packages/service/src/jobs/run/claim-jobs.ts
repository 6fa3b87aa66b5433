import type { ChunkClaim, ChunkStore } from '../ports/chunk-store.ts';
import { type Delivery, type FetchRoom, type JobQueue, type TakeRequest, weightIn } from '../ports/job-queue.ts';
import type { Claim, JobClaims } from '../ports/job-store.ts';
import type { Transactions, Tx } from '../ports/transactions.ts';
import { isChunkNeed } from './chunks/chunk-parts.ts';
import { freeSessions } from './worker-room.ts';

/** A job that this worker has claimed, and the delivery of its ticket. */
export interface ClaimedJob {
  readonly claim: Claim;
  readonly delivery: Delivery;
}

/** A chunk of a job of another worker, and the delivery of the ticket of the chunk. */
export interface ClaimedChunk {
  readonly chunk: ChunkClaim;
  readonly delivery: Delivery;
}

export type ClaimedWork = ClaimedJob | ClaimedChunk;

/** The maximum number of stale tickets that one transaction removes, because all other writes wait for it. */
const MAX_STALE_TICKETS = 200;

interface ClaimDeps {
  readonly transactions: Transactions;
  readonly queue: Pick<JobQueue, 'take' | 'remove'>;
  readonly jobs: Pick<JobClaims, 'claim'>;
  /** Absent if this worker encodes no chunks. */
  readonly chunks?: Pick<ChunkStore, 'claim'>;
  readonly now: () => Date;
  readonly workerId?: string;
  /** Gives a ticket back if this worker leaves its job to others. Resolves to whether it did. */
  readonly leave?: (tx: Tx, delivery: Delivery) => Promise<boolean>;
}

/** Claims the job or the chunk of a ticket. Resolves to undefined if the ticket is stale. */
async function claimWork(deps: ClaimDeps, tx: Tx, delivery: Delivery): Promise<ClaimedWork | undefined> {
  if (delivery.needs.some(isChunkNeed)) {
    const chunk = await deps.chunks?.claim(tx, delivery.jobId, deps.workerId);
    return chunk && { chunk, delivery };
  }
  const claim = await deps.jobs.claim(tx, delivery.jobId, deps.now().toISOString(), deps.workerId);
  return claim && { claim, delivery };
}

/**
 * Takes the tickets for one request after the other, and claims their jobs and chunks, in one transaction. Removes
 * stale tickets, whose jobs have ended, and gives back those that it leaves to others. If the transaction started later than `maxWaitMs` after the call, takes nothing, so that the
 * caller can renew its leases first. `more`: the caller should claim again at once, because of this wait or because
 * more jobs may follow these tickets.
 */
export const claimJobs = (
  deps: ClaimDeps,
  requests: readonly TakeRequest[],
  maxWaitMs: number,
): Promise<{ readonly claimed: readonly ClaimedWork[]; readonly more: boolean }> => {
  const requestedAt = performance.now();
  return deps.transactions.run(async (tx) => {
    if (performance.now() - requestedAt >= maxWaitMs) return { claimed: [], more: true };
    const claimed: ClaimedWork[] = [];
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
          const isLeft = (await deps.leave?.(tx, delivery)) === true;
          const work = isLeft ? undefined : await claimWork(deps, tx, delivery);
          if (work !== undefined) {
            claimed.push(work);
            slots -= 1;
            room = room && { ...room, free: room.free - weightIn(room, delivery) };
            devices = devices && freeSessions(devices, [delivery.needs]);
            if (delivery.lane === 'fetch') fetches = fetches && withFetch(fetches, delivery.clientId);
          } else {
            if (!isLeft) await deps.queue.remove(tx, delivery);
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
