import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenEventCounter } from '../../auth/ports.ts';
import { batchTooLarge } from '../../domain/batch.ts';
import { Problem } from '../../domain/problem.ts';
import { callerOf } from '../auth/authenticate.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts a request of a client, or several at once (`count`), and sets the rate limit fields of `reply`. Throws RATE_LIMITED
 * over the limit; several that do not fit are not counted.
 */
export type CountRequest = (clientId: string, reply: FastifyReply, count?: number) => Promise<void>;

/** Throws INVALID_REQUEST for a batch that would not fit into an unused minute either, so that the client must not retry. */
export function checkBatchSize(size: number, perMinute: number | undefined): void {
  if (perMinute !== undefined && size > perMinute) throw batchTooLarge(size, perMinute, 'submissions a minute');
}

/**
 * Counts requests per client in windows of a minute. `unit` is what they are called in messages, such as `submissions`.
 * Reports the counts in the header fields of draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` (q: quota, w:
 * window in seconds) and `RateLimit` (r: remaining, t: seconds until the window ends). Returns undefined if there is no
 * limit.
 */
export function rateCounter(
  openCounter: OpenEventCounter,
  unit: string,
  perMinute: number | undefined,
): CountRequest | undefined {
  if (perMinute === undefined) return undefined;
  const counter = openCounter({ name: unit, limit: perMinute, windowSeconds: WINDOW_SECONDS });
  const policy = `"${unit}";q=${perMinute};w=${WINDOW_SECONDS}`;
  const tooMany = (count: number, msLeft: number): Problem => {
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    const message = `${count} more would be over ${perMinute} ${unit} a minute. Send fewer, or retry in ${seconds} s.`;
    return new Problem('RATE_LIMITED', message, { retryAfterSeconds: seconds });
  };
  return async (clientId, reply, count = 1) => {
    const before = count > 1 ? await counter.get(clientId) : undefined;
    if (count > 1 && (before?.events ?? 0) + count > perMinute) throw tooMany(count, before?.msLeft ?? 0);
    let window = { events: 0, msLeft: 0 };
    for (let counted = 0; counted < count; counted += 1) window = await counter.count(clientId);
    const { events, msLeft } = window;
    const seconds = Math.max(1, Math.ceil(msLeft / 1000));
    const remaining = Math.max(0, perMinute - events);
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${unit}";r=${remaining};t=${seconds}`);
    if (events > perMinute)
      throw new Problem('RATE_LIMITED', `More than ${perMinute} ${unit} a minute. Retry in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
  };
}

/** A list with the hook that counts the caller of a request. The list is empty if there is no limit. */
export const countCaller = (count: CountRequest | undefined) =>
  count === undefined
    ? []
    : [(request: FastifyRequest, reply: FastifyReply): Promise<void> => count(callerOf(request).clientId, reply)];
