import type { Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import type { FastifyReply } from 'fastify';
import { minuteBuckets, msUntil, rateLimited } from '../../auth/counters.ts';

const WINDOW_SECONDS = 60;

type Limited = Pick<Caller, 'clientId' | 'policy'>;

export type RequestBudget = ReturnType<typeof requestBudget>;

/**
 * Creates the budgets of all clients, from their limits `requests` (requests a minute) and `replies` (bytes of replies
 * a minute). A budget refills evenly over a minute. Each process counts alone, because the budgets protect its event
 * loop. `now`: a clock in milliseconds that never goes back.
 */
export function requestBudget(now?: () => number) {
  const [requests, replies] = [minuteBuckets(now), minuteBuckets(now)];

  const checkReplies = ({ clientId, policy }: Limited): void => {
    const bucket = replies.of(clientId, policy.replies);
    if (bucket === undefined || bucket.left > 0) return;
    const message = `The replies to this client exceed ${bucket.limit} bytes a minute. Request less data, send fewer requests, or retry`;
    throw rateLimited(message, msUntil(bucket, 1), operatorHint(clientId, 'replies'));
  };

  return {
    /** Throws RATE_LIMITED if the client has no bytes of replies left. */
    checkReplies,
    /** Counts a request, and sets the rate limit fields of its reply. Throws RATE_LIMITED. */
    countRequest(caller: Limited, reply: Pick<FastifyReply, 'header'>): void {
      const bucket = requests.of(caller.clientId, caller.policy.requests);
      if (bucket !== undefined) {
        const { limit } = bucket;
        const isOver = bucket.left < 1;
        if (!isOver) bucket.left -= 1;
        reply
          .header('ratelimit-policy', `"requests";q=${limit};w=${WINDOW_SECONDS}`)
          .header('ratelimit', `"requests";r=${Math.floor(bucket.left)};t=${Math.ceil(msUntil(bucket, limit) / 1000)}`);
        if (isOver)
          throw rateLimited(
            `This client has sent more than ${limit} requests a minute. Retry`,
            msUntil(bucket, 1),
            operatorHint(caller.clientId, 'requests'),
          );
      }
      checkReplies(caller);
    },
    /**
     * Counts the bytes of a reply. If the client had fewer bytes left, it must wait longer for its next reply, by a
     * minute at most.
     */
    countReply({ clientId, policy }: Limited, bytes: number): void {
      const bucket = replies.of(clientId, policy.replies);
      if (bucket !== undefined) bucket.left = Math.max(bucket.left - bytes, -bucket.limit);
    },
    /** Returns how many milliseconds it takes until the client has bytes of replies left. 0: it has some now. */
    msUntilReplies({ clientId, policy }: Limited): number {
      const bucket = replies.of(clientId, policy.replies);
      return bucket === undefined || bucket.left > 0 ? 0 : Math.max(1, msUntil(bucket, 1));
    },
  };
}
