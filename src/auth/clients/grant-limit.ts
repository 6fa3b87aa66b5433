import { type ClientLimits, mergeClientLimits } from '../../domain/client-limits.ts';
import { Problem } from '../../domain/problem.ts';
import { minuteBuckets, msUntil } from '../minute-buckets.ts';
import type { ClientRecord } from '../ports.ts';

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
