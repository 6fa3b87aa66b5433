import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenEventCounter } from '../../auth/ports.ts';
import { Problem } from '../../domain/problem.ts';
import { callerOf } from '../auth/authenticate.ts';

const WINDOW_SECONDS = 60;

/** Counts a request of a client, and sets the rate limit fields of `reply`. Throws RATE_LIMITED over the limit. */
export type CountRequest = (clientId: string, reply: FastifyReply) => Promise<void>;

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
  return async (clientId, reply) => {
    const { events, msLeft } = await counter.count(clientId);
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
