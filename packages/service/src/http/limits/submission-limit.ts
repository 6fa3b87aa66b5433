import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { operatorHint } from '@telecine/contract/domain/client-limits.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited } from '../../auth/counters.ts';
import type { OpenEventCounter } from '../../auth/ports.ts';
import { callerOf } from '../auth/authenticate.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts requests of a client, and sets the rate limit fields of `reply`. If `count` requests do not all fit, counts
 * none of them and throws RATE_LIMITED.
 */
export type CountRequest = (
  caller: Pick<Caller, 'clientId' | 'policy'>,
  reply: FastifyReply,
  count?: number,
) => Promise<void>;

/** Throws INVALID_REQUEST for a batch that is larger than the limit of a whole minute: a retry would not help. */
export function checkBatchSize(size: number, { submissions }: Caller['policy']): void {
  if (submissions !== undefined && size > submissions) throw batchTooLarge(size, submissions, 'submissions a minute');
}

/**
 * Creates the function that counts the requests of each client in windows of a minute. A client may send `factor` of
 * them for each of its `submissions`. `unit`: what these requests are called in messages, such as `submissions`.
 *
 * It sets the header fields of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` (q: quota, w: window in
 * seconds) and `RateLimit` (r: remaining requests, t: seconds until the window ends).
 */
export function rateCounter(openCounter: OpenEventCounter, unit: string, factor = 1): CountRequest {
  const counter = openCounter({ name: unit, windowSeconds: WINDOW_SECONDS });
  return async ({ clientId, policy: { submissions } }, reply, count = 1) => {
    if (submissions === undefined) return;
    const perMinute = submissions * factor;
    const hint = operatorHint(clientId, 'submissions');
    const before = count > 1 ? await counter.get(clientId) : undefined;
    if (count > 1 && (before?.events ?? 0) + count > perMinute)
      throw rateLimited(
        `${count} more ${unit} would exceed the limit of ${perMinute} a minute. Send fewer, or retry`,
        before?.msLeft ?? 0,
        hint,
      );
    let window = { events: 0, msLeft: 0 };
    for (let counted = 0; counted < count; counted += 1) window = await counter.count(clientId, perMinute);
    const { events, msLeft } = window;
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    const remaining = Math.max(0, perMinute - events);
    reply
      .header('ratelimit-policy', `"${unit}";q=${perMinute};w=${WINDOW_SECONDS}`)
      .header('ratelimit', `"${unit}";r=${remaining};t=${seconds}`);
    if (events > perMinute)
      throw rateLimited(`This client has sent more than ${perMinute} ${unit} a minute. Retry`, msLeft, hint);
  };
}

/** Creates the hook that counts a request for its caller. */
export const countCaller =
  (count: CountRequest) =>
  (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    count(callerOf(request), reply);
