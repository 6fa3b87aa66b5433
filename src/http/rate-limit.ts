import type { FastifyReply, onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../domain/problem.ts';
import { callerOf } from './caller.ts';

const WINDOW_SECONDS = 60;

/** Counts one more of a client's, and tells in the fields of `reply` what is left. Throws RATE_LIMITED. */
export type Count = (clientId: string, reply: FastifyReply) => Promise<void>;

/**
 * Counts `what` (`submissions`, a plural) per client, a minute at a time, and tells them in the fields of
 * draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` (q: quota, w: window in seconds) and `RateLimit`
 * (r: what is left, t: seconds until it is whole again). Kept in memory: each API process counts for itself.
 */
export function counter(what: string, perMinute: number | undefined): Count | undefined {
  if (perMinute === undefined) return undefined;
  const points = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const policy = `"${what}";q=${perMinute};w=${WINDOW_SECONDS}`;
  return async (clientId, reply) => {
    const state = await points.consume(clientId).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused;
      throw refused;
    });
    const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
    reply.header('ratelimit-policy', policy).header('ratelimit', `"${what}";r=${state.remainingPoints};t=${seconds}`);
    if (state.consumedPoints > perMinute)
      throw new Problem(
        'RATE_LIMITED',
        `More than ${perMinute} ${what} in a minute. Send this one again in ${seconds} s.`,
        { retryAfterSeconds: seconds },
      );
  };
}

/** Counts each request with `count`; without one there is no limit. */
export const limit = (count: Count | undefined): onRequestAsyncHookHandler[] =>
  count === undefined ? [] : [(request, reply) => count(callerOf(request).clientId, reply)];
