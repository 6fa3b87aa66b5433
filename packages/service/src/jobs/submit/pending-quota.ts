import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { JobStore } from '../ports/job-store.ts';

/** Room in the queue that is reserved while the body of a submission is read. */
export interface Admission {
  /**
   * Releases the reservation. Call this once, after the request was handled. `accepted`: the request became a job,
   * which now uses the room.
   */
  release(accepted: boolean): void;
}

interface PendingCount {
  /** The limit of the last request. */
  limit: number;
  stored: number;
  countedAt: number;
  /** The number of jobs that this process stored after the last count began. The count may include some of them. */
  added: number;
  /** The number of jobs in admitted requests that were not handled yet. */
  inFlight: number;
  /** The count in the store that is running. All requests that need a count wait for it. */
  counting: Promise<void> | undefined;
}

/** How long a count is used. It becomes too high with time, because jobs leave the queue. */
const MAX_AGE_MS = 1000;
/** How long a count is used that has reached the limit. It is short, so that free room is noticed soon. */
const MAX_AGE_AT_LIMIT_MS = 50;
/**
 * If several processes accept jobs, a process counts again after its own jobs have filled this share of the free room
 * in the queue.
 */
const SHARE = 1 / 8;

/**
 * Rejects submissions while too many jobs are queued. Counting takes milliseconds, so counts are cached, and the
 * process adds its own new jobs to them. A single process never exceeds a limit. With `isShared`, other processes add
 * jobs too, so each process counts again after it has filled an eighth of the free room. Each additional process may
 * therefore exceed a limit by an eighth of the free room, or by its concurrent requests. The limit of a client is
 * `pending` of its policy. `pendingInAll`: the limit of all clients together. undefined: there is none.
 */
export function pendingQuota(
  deps: { readonly jobs: Pick<JobStore, 'countPending'>; readonly now: () => Date; readonly isShared?: boolean },
  pendingInAll: number | undefined,
): (caller: Pick<Caller, 'clientId' | 'policy'>, jobs?: number, batchSize?: number) => Promise<Admission> {
  /** The counts by client id, of which a service has thousands at most. The key undefined is for the count of all clients. */
  const counts = new Map<string | undefined, PendingCount>();

  const countOf = (clientId: string | undefined, limit: number): PendingCount => {
    const cached = counts.get(clientId);
    // The count in the store went up to the old limit only.
    if (cached !== undefined && limit > cached.limit) cached.countedAt = Number.NEGATIVE_INFINITY;
    if (cached !== undefined) return Object.assign(cached, { limit });
    const added: PendingCount = {
      limit,
      stored: 0,
      countedAt: Number.NEGATIVE_INFINITY,
      added: 0,
      inFlight: 0,
      counting: undefined,
    };
    counts.set(clientId, added);
    return added;
  };
  const readStore = async (clientId: string | undefined, count: PendingCount): Promise<void> => {
    // Only jobs that were added before the query started are certainly part of its result. Later jobs stay in `added`.
    const { added: addedBefore, limit } = count;
    count.stored = await deps.jobs.countPending(clientId, limit);
    count.added -= addedBefore;
    // The store counts only up to the limit. If it was raised meanwhile, count again.
    count.countedAt = count.limit > limit ? Number.NEGATIVE_INFINITY : deps.now().getTime();
  };
  /** Starts a new count if the last one is too old. Returns undefined if the last one can be used. */
  const refresh = (clientId: string | undefined, count: PendingCount, now: number): Promise<void> | undefined => {
    const hasUsedShare = deps.isShared === true && !isFull(count) && admitted(count) >= shareOf(count);
    const isRecent = now - count.countedAt < (isFull(count) ? MAX_AGE_AT_LIMIT_MS : MAX_AGE_MS);
    if (!hasUsedShare && isRecent) return undefined;
    count.counting ??= readStore(clientId, count).finally(() => {
      count.counting = undefined;
    });
    return count.counting;
  };

  return async ({ clientId, policy: { pending } }, jobs = 1, batchSize = jobs) => {
    const used = [
      ...(pending === undefined ? [] : [{ clientId, count: countOf(clientId, pending) }]),
      ...(pendingInAll === undefined ? [] : [{ clientId: undefined, count: countOf(undefined, pendingInAll) }]),
    ];
    // A batch above the limit would not even fit into an empty queue, so tell the client not to retry.
    const limit = Math.min(...used.map(({ count }) => count.limit));
    if (batchSize > limit) throw batchTooLarge(batchSize, limit, 'queued jobs');
    const now = deps.now().getTime();
    await Promise.all(used.map((one) => refresh(one.clientId, one.count, now)));
    for (const { count, ...of } of used) if (isFull(count, jobs)) throw tooManyPending(of.clientId, count, batchSize);
    for (const { count } of used) count.inFlight += jobs;
    return {
      release: (accepted) => {
        for (const { count } of used) release(count, jobs, accepted);
      },
    };
  };
}

function release(count: PendingCount, jobs: number, accepted: boolean): void {
  count.inFlight -= jobs;
  if (accepted) count.added += jobs;
}

const admitted = ({ added, inFlight }: PendingCount): number => added + inFlight;

/** Returns how many jobs this process admits between two counts if other processes admit jobs too. */
const shareOf = ({ limit, stored }: PendingCount): number => Math.max(1, Math.floor((limit - stored) * SHARE));

/** Whether `jobs` more jobs would exceed the limit. */
const isFull = (count: PendingCount, jobs = 1): boolean => count.stored + admitted(count) + jobs > count.limit;

/** @param clientId undefined: the limit of all clients is reached. */
function tooManyPending(clientId: string | undefined, { limit }: PendingCount, size: number): Problem {
  const [subject, change] =
    clientId === undefined
      ? ['The service', 'An operator can change this: pending-in-all in TELECINE_SERVICE_LIMITS.']
      : [`The client ${JSON.stringify(clientId)}`, operatorHint(clientId, 'pending')];
  const what =
    size === 1
      ? `${subject} has ${limit} queued jobs, the most that are allowed.`
      : `${subject} may have ${limit} queued jobs, and has too many for a batch of ${size}.`;
  const message = `${what} Submit again when some of them have started. ${change}`;
  return new Problem('TOO_MANY_PENDING', message, { retryAfterSeconds: 5 });
}

/** Runs a request that may create jobs, and then releases its reserved room in the queue. */
export async function runAdmitted<T>(admission: Admission | null, work: () => Promise<T>): Promise<T> {
  let accepted = false;
  try {
    const result = await work();
    accepted = true;
    return result;
  } finally {
    admission?.release(accepted);
  }
}
