import type { FastifyReply } from 'fastify';
import { type Bucket, minuteBuckets, msUntil } from '../../auth/counters.ts';
import type { Caller } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';

const WINDOW_SECONDS = 60;

type Limited = Pick<Caller, 'clientId' | 'policy'>;

/**
 * The requests and the bytes of replies that each client has left, by its limits `requests` and `replies`. A client that was idle for
 * a minute has those of a minute, and gets them back evenly. They are counted in this process: they protect its event loop.
 */
export interface RequestBudget {
  /** Counts a request, and sets the rate limit fields of its reply. Throws RATE_LIMITED. */
  countRequest(caller: Limited, reply: Pick<FastifyReply, 'header'>): void;
  /** Counts bytes that were made for a client. They may be more than it has left: then it waits longer. */
  countReply(caller: Limited, bytes: number): void;
  /** Throws RATE_LIMITED if a client has no bytes left. */
  checkReplies(caller: Limited): void;
  /** The milliseconds until a client has bytes left; 0 if it has. */
  msUntilReplies(caller: Limited): number;
}

/** Creates the budget. `now`: milliseconds of a clock that never goes back. */
export function requestBudget(now?: () => number): RequestBudget {
  const buckets = { requests: minuteBuckets(now), replies: minuteBuckets(now) } as const;

  /** The bucket of a client, filled up to now. undefined if it has no limit. */
  const bucketOf = (name: keyof typeof buckets, { clientId, policy }: Limited): Bucket | undefined => {
    const limit = policy[name];
    return limit === undefined ? undefined : buckets[name].of(clientId, limit);
  };

  const checkReplies: RequestBudget['checkReplies'] = (caller) => {
    const limit = caller.policy.replies ?? 0;
    const bucket = bucketOf('replies', caller);
    if (bucket === undefined || bucket.left > 0) return;
    const seconds = Math.max(1, Math.ceil(msUntil(bucket, 1, limit) / 1000));
    throw new Problem(
      'RATE_LIMITED',
      `More than ${limit} bytes of replies a minute. Ask for less or more rarely, or retry in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    );
  };

  return {
    checkReplies,
    countRequest(caller, reply) {
      const bucket = bucketOf('requests', caller);
      if (bucket !== undefined) {
        const limit = caller.policy.requests ?? 0;
        const isOver = bucket.left < 1;
        if (!isOver) bucket.left -= 1;
        const untilFull = Math.ceil(msUntil(bucket, limit, limit) / 1000);
        reply
          .header('ratelimit-policy', `"requests";q=${limit};w=${WINDOW_SECONDS}`)
          .header('ratelimit', `"requests";r=${Math.floor(bucket.left)};t=${untilFull}`);
        if (isOver) {
          const seconds = Math.max(1, Math.ceil(msUntil(bucket, 1, limit) / 1000));
          throw new Problem('RATE_LIMITED', `More than ${limit} requests a minute. Retry in ${seconds} s.`, {
            retryAfterSeconds: seconds,
          });
        }
      }
      checkReplies(caller);
    },
    countReply(caller, bytes) {
      const bucket = bucketOf('replies', caller);
      // No client waits for more than a minute.
      if (bucket !== undefined) bucket.left = Math.max(bucket.left - bytes, -(caller.policy.replies ?? 0));
    },
    msUntilReplies(caller) {
      const bucket = bucketOf('replies', caller);
      return bucket === undefined || bucket.left > 0 ? 0 : Math.max(1, msUntil(bucket, 1, caller.policy.replies ?? 1));
    },
  };
}
