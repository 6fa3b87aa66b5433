import type { onRequestAsyncHookHandler } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { Problem } from '../domain/problem.ts';
import { callerOf } from './caller.ts';

const WINDOW_SECONDS = 60;

/**
 * Counts submissions per client, a minute at a time, and tells them in the fields of
 * draft-ietf-httpapi-ratelimit-headers-10: `RateLimit-Policy` (q: quota, w: window in seconds) and `RateLimit`
 * (r: what is left, t: seconds until it is whole again). Kept in memory: each API process counts for itself.
 */
export function limitSubmissions(perMinute: number | undefined): onRequestAsyncHookHandler[] {
  if (perMinute === undefined) return [];
  const counter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  const policy = `"submissions";q=${perMinute};w=${WINDOW_SECONDS}`;
  return [
    async (request, reply) => {
      const state = await counter.consume(callerOf(request).clientId).catch((refused: unknown) => {
        if (refused instanceof RateLimiterRes) return refused;
        throw refused;
      });
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1000));
      reply
        .header('ratelimit-policy', policy)
        .header('ratelimit', `"submissions";r=${state.remainingPoints};t=${seconds}`);
      if (state.consumedPoints > perMinute)
        throw new Problem(
          'RATE_LIMITED',
          `More than ${perMinute} submissions in a minute. Send this one again in ${seconds} s.`,
          { retryAfterSeconds: seconds },
        );
    },
  ];
}
