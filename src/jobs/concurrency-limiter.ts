import pLimit from 'p-limit';
import { Problem } from '../domain/problem.ts';

export interface ConcurrencyLimits {
  /** The most calls that run at a time. */
  readonly running: number;
  /** The most running and queued calls of one client. */
  readonly perClient: number;
  /** The most running and queued calls of all clients together. */
  readonly total: number;
}

/**
 * Runs `work` when a slot is free. Rejects a queued call when `signal` is aborted. Throws at once if too many calls run
 * or are queued: RATE_LIMITED if they are the client's own, UNAVAILABLE otherwise.
 */
export type ConcurrencyLimiter = <T>(clientId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** The advised delay before a retry. Within it, some calls have probably ended. */
const RETRY_SECONDS = 2;

/** Creates a limiter. `what`: the plural noun for the limited calls, for messages. */
export function concurrencyLimiter(what: string, { running, perClient, total }: ConcurrencyLimits): ConcurrencyLimiter {
  const limit = pLimit(running);
  const countByClient = new Map<string, number>();
  let totalCount = 0;
  const addToCounts = (clientId: string, change: 1 | -1): void => {
    totalCount += change;
    const count = (countByClient.get(clientId) ?? 0) + change;
    if (count === 0) countByClient.delete(clientId);
    else countByClient.set(clientId, count);
  };
  const retry = { retryAfterSeconds: RETRY_SECONDS };
  return async (clientId, signal, work) => {
    if ((countByClient.get(clientId) ?? 0) >= perClient)
      throw new Problem(
        'RATE_LIMITED',
        `You have too many ${what} (${perClient}). Retry in ${RETRY_SECONDS} s.`,
        retry,
      );
    if (totalCount >= total)
      throw new Problem('UNAVAILABLE', `Too many ${what} are queued (${total}). Retry in ${RETRY_SECONDS} s.`, retry);
    addToCounts(clientId, 1);
    try {
      return await limit(() => {
        signal.throwIfAborted();
        return work();
      });
    } finally {
      addToCounts(clientId, -1);
    }
  };
}
