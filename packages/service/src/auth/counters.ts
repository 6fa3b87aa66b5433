import { type ClientLimits, mergeClientLimits, operatorHint } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { ClientRecord, OpenEventCounter, WindowCount } from './ports.ts';

/** Counts in memory, for a database with only one service. A restart resets the counts. */
export const openMemoryCounter: OpenEventCounter = ({ windowSeconds }) => {
  const limiter = new RateLimiterMemory({ points: 1, duration: windowSeconds });
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

/** What a client has left of a limit per minute. */
interface Bucket {
  left: number;
  limit: number;
}

/**
 * The token buckets of all clients for one limit, in this process. `of` returns the current bucket of a client, or
 * undefined without a limit. A bucket refills evenly over a minute. `now`: a clock in milliseconds that never goes
 * back.
 */
export function minuteBuckets(now: () => number = () => performance.now()) {
  const buckets = new Map<string, Bucket & { at: number }>();
  return {
    of(clientId: string, limit: number | undefined): Bucket | undefined {
      if (limit === undefined) return undefined;
      const at = now();
      const bucket = buckets.get(clientId) ?? { left: limit, limit, at };
      buckets.set(clientId, bucket);
      bucket.left = Math.min(limit, bucket.left + ((at - bucket.at) * limit) / (WINDOW_SECONDS * 1000));
      bucket.limit = limit;
      bucket.at = at;
      return bucket;
    },
  };
}

/** Returns how many milliseconds it takes until a bucket contains `wanted`. */
export const msUntil = ({ left, limit }: Bucket, wanted: number): number =>
  Math.max(0, ((wanted - left) * WINDOW_SECONDS * 1000) / limit);

/**
 * The problem for a client that exceeds a limit. `message`: gets " in … s." at its end. `ms`: milliseconds until the
 * client may retry. `hint`: a last sentence.
 */
export function rateLimited(message: string, ms: number, hint = ''): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1000));
  return new Problem('RATE_LIMITED', `${message} in ${retryAfterSeconds} s. ${hint}`.trim(), { retryAfterSeconds });
}

/**
 * Counts a new token or session of a client. Call this before it is signed and stored. Throws RATE_LIMITED if the
 * client exceeds its limit `tokens`.
 */
export type CountGrant = (client: Pick<ClientRecord, 'clientId' | 'limits'>) => void;

/**
 * Creates the function that counts new tokens and sessions. `policy`: the default limits. `now`: a clock in
 * milliseconds that never goes back.
 */
export function grantLimit(policy: ClientLimits, now?: () => number): CountGrant {
  const buckets = minuteBuckets(now);
  return ({ clientId, limits }) => {
    const bucket = buckets.of(clientId, mergeClientLimits(policy, limits).tokens);
    if (bucket === undefined) return;
    if (bucket.left < 1)
      throw rateLimited(
        `More than ${bucket.limit} tokens and sessions a minute. Use each token until it expires, or retry`,
        msUntil(bucket, 1),
        operatorHint(clientId, 'tokens'),
      );
    bucket.left -= 1;
  };
}
