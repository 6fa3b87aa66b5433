import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type ClientLimits, mergeClientLimits } from '../domain/client-limits.ts';
import { Problem } from '../domain/problem.ts';
import type { ClientRecord, OpenEventCounter, WindowCount } from './ports.ts';

/** Counts in memory, for the only service on a database. A restart resets the counts. */
export const openMemoryCounter: OpenEventCounter = ({ limit, windowSeconds }) => {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
  return {
    count: async (key) => toCount(await limiter.penalty(key)),
    get: async (key) => {
      const found = await limiter.get(key);
      return found === null ? undefined : toCount(found);
    },
  };
};

const toCount = ({ consumedPoints, msBeforeNext }: RateLimiterRes): WindowCount => ({
  events: consumedPoints,
  msLeft: msBeforeNext,
});

const WINDOW_SECONDS = 60;

/** What a client has left of a limit a minute. */
export interface Bucket {
  left: number;
}

/**
 * What each client has left of one limit a minute. A client that was idle for a minute has those of a minute, and gets them back
 * evenly. Counted in this process. `now`: milliseconds of a clock that never goes back.
 */
export function minuteBuckets(now: () => number = () => performance.now()) {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    /** The bucket of a client, filled up to now. */
    of(clientId: string, limit: number): Bucket {
      const [at, known] = [now(), buckets.get(clientId)];
      const bucket = known ?? { left: limit, at };
      if (known === undefined) buckets.set(clientId, bucket);
      bucket.left = Math.min(limit, bucket.left + ((at - bucket.at) * limit) / (WINDOW_SECONDS * 1000));
      bucket.at = at;
      return bucket;
    },
  };
}

/** The milliseconds until a bucket of this limit has `wanted`; 0 if it has. */
export const msUntil = ({ left }: Bucket, wanted: number, limit: number): number =>
  Math.max(0, ((wanted - left) * WINDOW_SECONDS * 1000) / limit);

/** Counts a token or a session that a client is about to get. Throws RATE_LIMITED above its limit `tokens`. */
export type CountGrant = (client: Pick<ClientRecord, 'clientId' | 'limits'>) => void;

/**
 * Creates the count of what all clients get. Call it before anything is stored or signed: each leaves a row and costs a signature.
 * `policy`: the default limits. `now`: milliseconds of a clock that never goes back.
 */
export function grantLimit(policy: ClientLimits, now?: () => number): CountGrant {
  const buckets = minuteBuckets(now);
  return ({ clientId, limits }) => {
    const { tokens: limit } = mergeClientLimits(policy, limits);
    if (limit === undefined) return;
    const bucket = buckets.of(clientId, limit);
    if (bucket.left < 1) {
      const seconds = Math.max(1, Math.ceil(msUntil(bucket, 1, limit) / 1000));
      throw new Problem(
        'RATE_LIMITED',
        `More than ${limit} tokens and sessions a minute. Use a token until it expires, or retry in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
    }
    bucket.left -= 1;
  };
}
