import { LRUCache } from 'lru-cache';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../../domain/problem.ts';
import { addressKey } from './address-key.ts';

/** Who tries. Without a client only the address counts. */
export interface AttemptKey {
  readonly address: string;
  readonly clientId?: string;
}

export interface FailureLimits {
  /** Failures a minute with one client id from one address. Not by client alone: anyone could lock it out. */
  readonly perClientAndAddressAMinute: number;
  /** Failures a minute from one address, whatever the client id. */
  readonly perAddressAMinute: number;
}

const WINDOW_SECONDS = 60;

/** How long a client that succeeded from an address is known there. */
const KNOWN_MS = 3_600_000;
/** So many are known at most. */
const MOST_KNOWN = 10_000;

/** Counts failures alone: whoever succeeds is never limited by this. */
export interface FailedAttempts {
  /** Throws RATE_LIMITED where there were too many; the failures of others are not held against who is known there. */
  check(who: AttemptKey): Promise<void>;
  count(who: AttemptKey): Promise<void>;
  /** From now on the client is known at the address: many may be behind one. */
  succeeded(who: AttemptKey): void;
}

/** Kept in memory, by the limiter's own clock: a restart forgets what was counted. */
export function createFailedAttempts(limits: FailureLimits): FailedAttempts {
  const byPair = new RateLimiterMemory({ points: limits.perClientAndAddressAMinute, duration: WINDOW_SECONDS });
  const byAddress = new RateLimiterMemory({ points: limits.perAddressAMinute, duration: WINDOW_SECONDS });
  const known = new LRUCache<string, true>({ max: MOST_KNOWN, ttl: KNOWN_MS, perf: Date });

  const pairKey = ({ address, clientId }: AttemptKey): string | undefined =>
    clientId === undefined ? undefined : `${clientId}@${addressKey(address)}`;

  const waitMs = async (counter: RateLimiterMemory, key: string): Promise<number> => {
    const found = await counter.get(key);
    return found !== null && found.consumedPoints >= counter.points ? found.msBeforeNext : 0;
  };

  return {
    async check(who) {
      const pair = pairKey(who);
      const isKnown = pair !== undefined && known.has(pair);
      const wait = Math.max(
        isKnown ? 0 : await waitMs(byAddress, addressKey(who.address)),
        pair === undefined ? 0 : await waitMs(byPair, pair),
      );
      if (wait === 0) return;
      const seconds = Math.ceil(wait / 1000);
      throw new Problem('RATE_LIMITED', `Too many failed attempts to obtain a token. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    },
    async count(who) {
      const pair = pairKey(who);
      await byAddress.penalty(addressKey(who.address));
      if (pair !== undefined) await byPair.penalty(pair);
    },
    succeeded(who) {
      const pair = pairKey(who);
      if (pair !== undefined) known.set(pair, true);
    },
  };
}
