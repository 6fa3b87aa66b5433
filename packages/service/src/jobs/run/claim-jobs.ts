import type { ChunkClaim, ChunkStore } from '../ports/chunk-store.ts';
import type { Delivery, JobQueue, TakeRequest } from '../ports/job-queue.ts';
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
 * Takes the tickets for one request after the other, and claims their jobs and chunks, in one transaction. Removes a
 * ticket whose job another transaction has ended meanwhile, and gives back those that it leaves to others. If the
 * transaction started later than `maxWaitMs` after the call, takes nothing, so that the caller can renew its leases
 * first. `more`: the caller should claim again at once, because of this wait or because other jobs may follow these
 * tickets.
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
    // All requests share the same devices, so each request gets the devices that the requests before it have left.
    let devices = requests[0]?.devices;
    for (const request of requests) {
      let more = false;
      for (const delivery of await deps.queue.take(tx, { ...request, ...(devices && { devices }) })) {
        const isLeft = (await deps.leave?.(tx, delivery)) === true;
        const work = isLeft ? undefined : await claimWork(deps, tx, delivery);
        if (work === undefined) {
          if (!isLeft) await deps.queue.remove(tx, delivery);
          more = true;
          continue;
        }
        claimed.push(work);
        devices = devices && freeSessions(devices, [delivery.needs]);
      }
      if (more) return { claimed, more };
    }
    return { claimed, more: false };
  });
};
