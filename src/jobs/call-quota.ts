import { Problem } from '../domain/problem.ts';

export interface CallLimits {
  /** The most calls of one client at a time. */
  readonly perClient: number;
  /** The most calls of all clients together. */
  readonly total: number;
}

/**
 * Runs `work` unless too many calls are there, running or queued: then throws at once, RATE_LIMITED if they are the client's
 * own, UNAVAILABLE otherwise.
 */
export type CallQuota = <T>(clientId: string, work: () => Promise<T>) => Promise<T>;

/** The advised delay before a retry. Within it, some calls have probably ended. */
const RETRY_SECONDS = 2;

/** Creates a quota. `what`: the plural noun for the calls, for messages. */
export function callQuota(what: string, { perClient, total }: CallLimits): CallQuota {
  const countByClient = new Map<string, number>();
  let totalCount = 0;
  const addToCounts = (clientId: string, change: 1 | -1): void => {
    totalCount += change;
    const count = (countByClient.get(clientId) ?? 0) + change;
    if (count === 0) countByClient.delete(clientId);
    else countByClient.set(clientId, count);
  };
  const retry = { retryAfterSeconds: RETRY_SECONDS };
  return async (clientId, work) => {
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
      return await work();
    } finally {
      addToCounts(clientId, -1);
    }
  };
}
