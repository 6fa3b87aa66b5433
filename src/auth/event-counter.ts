import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { OpenEventCounter, WindowCount } from './ports.ts';

/** Counts in memory, for the only service on a database. A restart resets the counts. */
export const openMemoryCounter: OpenEventCounter = ({ limit, windowSeconds }) => {
  const limiter = new RateLimiterMemory({ points: limit, duration: windowSeconds });
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
