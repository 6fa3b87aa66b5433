import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { type MaybePromise, whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
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

/** The maximum number of queued jobs of one client, and of all clients together. */
export interface PendingLimits {
  readonly pendingPerClient: number;
  readonly pendingInAll: number;
}

interface PendingCount {
  readonly limit: number;
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
const MAX_COUNTS = 10_000;

/**
 * Rejects submissions while too many jobs are queued. Counting takes milliseconds, so counts are cached, and the
 * process adds its own new jobs to them. A single process never exceeds a limit. With `isShared`, other processes add
 * jobs too, so each process counts again after it has filled an eighth of the free room. Each additional process may
 * therefore exceed a limit by an eighth of the free room, or by its concurrent requests. `limits` undefined: there is
 * no limit.
 */
export function pendingQuota(
  deps: { readonly jobs: Pick<JobStore, 'countPending'>; readonly now: () => Date; readonly isShared?: boolean },
  limits: PendingLimits | undefined,
): (caller: Pick<Caller, 'clientId'>, jobs?: number, batchSize?: number) => MaybePromise<Admission> {
  if (limits === undefined) return () => ({ release: () => {} });
  /** The counts by client id. The key undefined is for the count of all clients. */
  const counts = new Map<string | undefined, PendingCount>();

  const countOf = (clientId: string | undefined): PendingCount => {
    const cached = counts.get(clientId);
    if (cached !== undefined) return cached;
    const added: PendingCount = {
      limit: clientId === undefined ? limits.pendingInAll : limits.pendingPerClient,
      stored: 0,
      countedAt: Number.NEGATIVE_INFINITY,
      added: 0,
      inFlight: 0,
      counting: undefined,
    };
    if (counts.size >= MAX_COUNTS) evictOldest(counts, deps.now().getTime());
    counts.set(clientId, added);
    return added;
  };
  const readStore = async (clientId: string | undefined, count: PendingCount): Promise<void> => {
    // Only jobs that were added before the query started are certainly part of its result. Later jobs stay in `added`.
    const addedBefore = count.added;
    count.stored = await deps.jobs.countPending(clientId, count.limit);
    count.added -= addedBefore;
    count.countedAt = deps.now().getTime();
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

  return ({ clientId }, jobs = 1, batchSize = jobs) => {
    const own = countOf(clientId);
    const all = countOf(undefined);
    // A batch above the limit would not even fit into an empty queue, so tell the client not to retry.
    const limit = Math.min(own.limit, all.limit);
    if (batchSize > limit) throw batchTooLarge(batchSize, limit, 'queued jobs');
    const now = deps.now().getTime();
    const ownCounting = refresh(clientId, own, now);
    const allCounting = refresh(undefined, all, now);
    const counting =
      ownCounting === undefined && allCounting === undefined ? undefined : Promise.all([ownCounting, allCounting]);
    return whenKnown<unknown, Admission>(counting, () => admit(clientId, own, all, jobs, batchSize));
  };
}

function admit(clientId: string, own: PendingCount, all: PendingCount, jobs: number, batchSize: number): Admission {
  if (isFull(own, jobs))
    throw tooManyPending(
      fullMessage(`The client ${JSON.stringify(clientId)} has`, own, 'a client may have', batchSize),
    );
  if (isFull(all, jobs)) throw tooManyPending(fullMessage('The service has', all, 'it accepts', batchSize));
  own.inFlight += jobs;
  all.inFlight += jobs;
  return {
    release: (accepted) => {
      release(own, jobs, accepted);
      release(all, jobs, accepted);
    },
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

const fullMessage = (subject: string, { limit }: PendingCount, what: string, jobs: number): string =>
  jobs === 1
    ? `${subject} ${limit} queued jobs, the most that ${what}.`
    : `${jobs} more queued jobs would be over ${limit}, the most that ${what}.`;

/** Removes the oldest cached count of a client, if the count is too old to be used and no request uses it. */
function evictOldest(counts: Map<string | undefined, PendingCount>, now: number): void {
  for (const [clientId, { inFlight, counting, countedAt }] of counts)
    if (clientId !== undefined && inFlight === 0 && counting === undefined && now - countedAt >= MAX_AGE_MS) {
      counts.delete(clientId);
      return;
    }
}

const tooManyPending = (what: string): Problem =>
  new Problem('TOO_MANY_PENDING', `${what} Submit again when some of them have started.`, { retryAfterSeconds: 5 });

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
