import pLimit from 'p-limit';
import { Problem } from '../domain/problem.ts';

/** How much may be under way of something that a client waits for. */
export interface ConcurrencyLimits {
  readonly atOnce: number;
  /** Running and waiting, of one client. */
  readonly perClient: number;
  /** Running and waiting, of all. */
  readonly inAll: number;
}

/** Runs `work` when its turn comes. Throws RATE_LIMITED or UNAVAILABLE where too many wait, at once. */
export type ConcurrencyLimiter = <T>(clientId: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** By the time it is asked for again, the work in front is likely done. */
const RETRY_SECONDS = 2;

export function concurrencyLimiter({ atOnce, perClient, inAll }: ConcurrencyLimits): ConcurrencyLimiter {
  const limited = pLimit(atOnce);
  const held = new Map<string, number>();
  let all = 0;
  const take = (clientId: string, change: 1 | -1): void => {
    all += change;
    const now = (held.get(clientId) ?? 0) + change;
    if (now === 0) held.delete(clientId);
    else held.set(clientId, now);
  };
  return async (clientId, signal, work) => {
    if ((held.get(clientId) ?? 0) >= perClient)
      throw new Problem('RATE_LIMITED', `More than ${perClient} of these at a time. Wait for one to end.`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
    if (all >= inAll)
      throw new Problem('UNAVAILABLE', 'Too many of these wait for their turn. Try again.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    take(clientId, 1);
    try {
      return await limited(() => {
        signal.throwIfAborted();
        return work();
      });
    } finally {
      take(clientId, -1);
    }
  };
}
