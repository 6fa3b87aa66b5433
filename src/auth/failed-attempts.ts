import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../domain/problem.ts';
import { addressKey } from './address-key.ts';

/** Who tries. Without a client only the address counts. */
export interface Attempter {
  readonly address: string;
  readonly clientId?: string;
}

export interface FailureLimits {
  /** Failures a minute with one client id from one address. Not by client alone: anyone could lock it out. */
  readonly perClientAndAddressAMinute: number;
  /** Failures an hour from one address, whatever the client id. */
  readonly perAddressAnHour: number;
}

export const FAILURE_LIMITS: FailureLimits = { perClientAndAddressAMinute: 10, perAddressAnHour: 100 };

/** Counts failures alone: whoever succeeds is never limited by this. */
export interface FailedAttempts {
  /** Throws RATE_LIMITED where there were too many. */
  check(who: Attempter): Promise<void>;
  count(who: Attempter): Promise<void>;
}

/** `limits` undefined: no limits. Kept in memory, by the limiter's own clock: a restart forgets what was counted. */
export function createFailedAttempts(limits: FailureLimits | undefined): FailedAttempts {
  if (limits === undefined) return { check: async () => {}, count: async () => {} };
  const byPair = new RateLimiterMemory({ points: limits.perClientAndAddressAMinute, duration: 60 });
  const byAddress = new RateLimiterMemory({ points: limits.perAddressAnHour, duration: 3600 });

  const counters = ({ address, clientId }: Attempter): readonly (readonly [RateLimiterMemory, string])[] => {
    const from = addressKey(address);
    return clientId === undefined
      ? [[byAddress, from]]
      : [
          [byAddress, from],
          [byPair, `${clientId}@${from}`],
        ];
  };

  return {
    async check(who) {
      let waitMs = 0;
      for (const [counter, key] of counters(who)) {
        const found = await counter.get(key);
        if (found !== null && found.consumedPoints >= counter.points) waitMs = Math.max(waitMs, found.msBeforeNext);
      }
      if (waitMs === 0) return;
      const seconds = Math.ceil(waitMs / 1000);
      throw new Problem('RATE_LIMITED', `Too many failed attempts to obtain a token. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    },
    async count(who) {
      for (const [counter, key] of counters(who)) await counter.penalty(key);
    },
  };
}
