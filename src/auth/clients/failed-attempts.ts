import { LRUCache } from 'lru-cache';
import { Problem } from '../../domain/problem.ts';
import { openMemoryCounter } from '../event-counter.ts';
import type { EventCounter, OpenEventCounter } from '../ports.ts';
import { addressKey } from './address-key.ts';

/** The client and the address whose attempts are counted. Without a client id, they are counted by address only. */
export interface AttemptKey {
  readonly address: string;
  readonly clientId?: string;
}

export interface FailureLimits {
  /**
   * Failures per minute with one client id from one address. They are not counted by client alone, because then anyone
   * could lock the client out.
   */
  readonly perClientAndAddressAMinute: number;
  /** Failures per minute from one address, with any client id. */
  readonly perAddressAMinute: number;
}

const WINDOW_SECONDS = 60;

/** How long a client counts as known at an address after a success. */
const KNOWN_MS = 3_600_000;
/** The maximum number of known pairs of client and address. */
const MAX_KNOWN = 10_000;

/** Limits failed attempts. Successful requests are never limited. */
export interface FailedAttempts {
  /**
   * Throws RATE_LIMITED after too many failures. Failures of others at the address do not block a client that is known
   * there.
   */
  check(who: AttemptKey): Promise<void>;
  count(who: AttemptKey): Promise<void>;
  /** Marks the client as known at the address, which it may share with others. */
  succeeded(who: AttemptKey): void;
}

/** Counts the failures of one kind of request, such as `token requests`. Each process remembers successes by itself. */
export function createFailedAttempts(
  limits: FailureLimits,
  {
    of = 'token requests',
    openCounter = openMemoryCounter,
  }: { readonly of?: string; readonly openCounter?: OpenEventCounter } = {},
): FailedAttempts {
  const open = (by: string, limit: number): EventCounter =>
    openCounter({ name: `failed ${of} by ${by}`, limit, windowSeconds: WINDOW_SECONDS });
  const byPair = open('client and address', limits.perClientAndAddressAMinute);
  const byAddress = open('address', limits.perAddressAMinute);
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS, perf: Date });

  const pairKey = ({ address, clientId }: AttemptKey): string | undefined =>
    clientId === undefined ? undefined : `${clientId}@${addressKey(address)}`;

  const waitMs = async (counter: EventCounter, limit: number, key: string): Promise<number> => {
    const found = await counter.get(key);
    return found !== undefined && found.events >= limit ? found.msLeft : 0;
  };

  return {
    async check(who) {
      const pair = pairKey(who);
      const isKnown = pair !== undefined && known.has(pair);
      const wait = Math.max(
        isKnown ? 0 : await waitMs(byAddress, limits.perAddressAMinute, addressKey(who.address)),
        pair === undefined ? 0 : await waitMs(byPair, limits.perClientAndAddressAMinute, pair),
      );
      if (wait === 0) return;
      const seconds = Math.ceil(wait / 1000);
      throw new Problem('RATE_LIMITED', `Too many failed token requests. Retry in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      });
    },
    async count(who) {
      const pair = pairKey(who);
      await byAddress.count(addressKey(who.address));
      if (pair !== undefined) await byPair.count(pair);
    },
    succeeded(who) {
      const pair = pairKey(who);
      if (pair !== undefined) known.set(pair, true);
    },
  };
}
