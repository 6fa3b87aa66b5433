import { batchTooLarge } from '@telecine/contract/domain/batch.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited } from '../../auth/counters.ts';
import type { OpenEventCounter } from '../../auth/ports.ts';
import { callerOf } from '../auth/authenticate.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts requests of a client, and sets the rate limit fields of `reply`. If `count` requests do not all fit, counts
 * none of them and throws RATE_LIMITED.
 */
export type CountRequest = (clientId: string, reply: FastifyReply, count?: number) => Promise<void>;

/** Throws INVALID_REQUEST for a batch that is larger than the limit of a whole minute: a retry would not help. */
export function checkBatchSize(size: number, perMinute: number | undefined): void {
  if (perMinute !== undefined && size > perMinute) throw batchTooLarge(size, perMinute, 'submissions a minute');
}

/**
 * Creates the function that counts the requests of each client in windows of a minute. `unit`: what these requests are
 * called in messages, such as `submissions`. Returns undefined if there is no limit.
 *
 * It sets the header fields of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` (q: quota, w: window in
 * seconds) and `RateLimit` (r: remaining requests, t: seconds until the window ends).
 */
export function rateCounter(
  openCounter: OpenEventCounter,
  unit: string,
  perMinute: number | undefined,
): CountRequest | undefined {
  if (perMinute === undefined) return undefined;
  const counter = openCounter({ name: unit, limit: perMinute, windowSeconds: WINDOW_SECONDS });
  const policy = `"${unit}";q=${perMinute};w=${WINDOW_SECONDS}`;
  return async (clientId, reply, count = 1) => {
    const before = count > 1 ? await counter.get(clientId) : undefined;
    if (count > 1 && (before?.events ?? 0) + count > perMinute)
      throw rateLimited(
        `${count} more ${unit} would exceed the limit of ${perMinute} a minute. Send fewer, or retry`,
        before?.msLeft ?? 0,
      );
    let window = { events: 0, msLeft: 0 };
    for (let counted = 0; counted < count; counted += 1) window = await counter.count(clientId);
    const { events, msLeft } = window;
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    const remaining = Math.max(0, perMinute - events);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${unit}";r=${remaining};t=${seconds}`);
    if (events > perMinute)
      throw rateLimited(`This client has sent more than ${perMinute} ${unit} a minute. Retry`, msLeft);
  };
}

/** Returns a list with the hook that counts a request for its caller, or an empty list if there is no limit. */
export const countCaller = (count: CountRequest | undefined) =>
  count === undefined
    ? []
    : [(request: FastifyRequest, reply: FastifyReply): Promise<void> => count(callerOf(request).clientId, reply)];
