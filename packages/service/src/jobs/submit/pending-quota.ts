import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { type MaybePromise, whenKnown } from '@telecine/contract/domain/maybe-promise.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { JobStore } from '../ports/job-store.ts';

/** A reservation in the queue, while the body of a submission is read. */
export interface Admission {
  /** Call this once, when the request has been handled. `accepted`: whether the request became a job. */
  release(accepted: boolean): void;
}

/** The most queued jobs of one client, and of all clients together. */
export interface PendingLimits {
  readonly pendingPerClient: number;
  readonly pendingInAll: number;
}

/** The number of queued jobs of one client, or of all clients. */
interface PendingCount {
  readonly limit: number;
  stored: number;
  countedAt: number;
  /** Jobs stored since that count began. The count may include some of them. */
  added: number;
  /** Admitted requests that are still in progress. They may become jobs. */
  inFlight: number;
  /** The running count. All requests that need one wait for it. */
  counting: Promise<void> | undefined;
}

/** How long a count is used. It gets out of date, because jobs leave the queue. */
const MAX_AGE_MS = 1000;
/** How long a count is used once the limit is reached. Short, so that a shorter queue is noticed soon. */
const MAX_AGE_AT_LIMIT_MS = 50;
/** The share of the free room that a process of several fills before it counts again. */
const SHARE = 1 / 8;
const MAX_COUNTS = 10_000;

/**
 * Rejects submissions while too many jobs are queued. Counts are cached, because counting takes milliseconds, and this
 * process adds its own jobs. One process never exceeds a limit. If `isShared`, a process counts again after it has
 * admitted an eighth of the rest, so each further process may exceed a limit by an eighth or by its concurrent
 * requests. `limits` undefined: admits everything.
 */
export function pendingQuota(
  deps: { readonly jobs: Pick<JobStore, 'countPending'>; readonly now: () => Date; readonly isShared?: boolean },
  limits: PendingLimits | undefined,
): (caller: Pick<Caller, 'clientId'>, jobs?: number, batchSize?: number) => MaybePromise<Admission> {
  if (limits === undefined) return () => ({ release: () => {} });
  /** Counts by client id. The key undefined has the count of all clients. */
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
    // Only jobs added before the query starts are certain to be in its result. The others stay in `added`.
    const addedBefore = count.added;
    count.stored = await deps.jobs.countPending(clientId, count.limit);
    count.added -= addedBefore;
    count.countedAt = deps.now().getTime();
  };
  /** Counts again if the last count is too old. Returns undefined if the count is recent. */
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
    // It would not fit into an empty queue either, so the client must not retry.
    const limit = Math.min(own.limit, all.limit);
    if (batchSize > limit) throw batchTooLarge(batchSize, limit, 'queued jobs');
    const now = deps.now().getTime();
    const ownCounting = refresh(clientId, own, now);
    const allCounting = refresh(undefined, all, now);
    const counting =
      ownCounting === undefined && allCounting === undefined ? undefined : Promise.all([ownCounting, allCounting]);
    return whenKnown<unknown, Admission>(counting, () => admit(own, all, jobs));
  };
}

function admit(own: PendingCount, all: PendingCount, jobs: number): Admission {
  if (isFull(own, jobs)) throw tooManyPending(fullMessage('You have', own, 'a client may have', jobs));
  if (isFull(all, jobs)) throw tooManyPending(fullMessage('The service has', all, 'it accepts', jobs));
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

/** How many jobs this process admits between two counts, if others admit too. */
const shareOf = ({ limit, stored }: PendingCount): number => Math.max(1, Math.floor((limit - stored) * SHARE));

/** Whether `jobs` more do not fit. */
const isFull = (count: PendingCount, jobs = 1): boolean => count.stored + admitted(count) + jobs > count.limit;

const fullMessage = (subject: string, { limit }: PendingCount, what: string, jobs: number): string =>
  jobs === 1
    ? `${subject} ${limit} queued jobs, the most that ${what}.`
    : `${jobs} more queued jobs would be over ${limit}, the most that ${what}.`;

/** Removes the oldest cached count that is out of date and not in use. Keeps the count of all clients. */
function evictOldest(counts: Map<string | undefined, PendingCount>, now: number): void {
  for (const [clientId, { inFlight, counting, countedAt }] of counts)
    if (clientId !== undefined && inFlight === 0 && counting === undefined && now - countedAt >= MAX_AGE_MS) {
      counts.delete(clientId);
      return;
    }
}

const tooManyPending = (what: string): Problem =>
  new Problem('TOO_MANY_PENDING', `${what} Submit again when some of them have started.`, { retryAfterSeconds: 5 });
