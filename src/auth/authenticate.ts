import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { Problem } from '../domain/problem.ts';
import { isClientName } from './clients.ts';
import { openMemoryCounter } from './counters.ts';
import type { ClientRecord, ClientStore, EventCounter, OpenEventCounter } from './ports.ts';
import { matchesGenerated, matchesSecret } from './secrets.ts';

/** The id and the secret with which a client logs in. */
export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The IP address of the request. Failures are counted by address. */
  readonly address: string;
}

/** The limit of concurrent hashes. Each uses one of libuv's four threads for about 50 ms; files need the other two. */
const HASHES_AT_ONCE = 2;

/** Finds the client with this login. Throws RATE_LIMITED, or INVALID_CLIENT without saying what was wrong. */
export type Authenticate = (credentials: ClientLogin) => Promise<ClientRecord>;

export function createAuthenticate(deps: { clients: ClientStore; failures: FailedAttempts }): Authenticate {
  const { clients, failures } = deps;
  const slot = pLimit(HASHES_AT_ONCE);

  return async ({ clientId, clientSecret, address }) => {
    const named = isClientName(clientId);
    // Ids that no client can have share one counter, so that invented ids do not fill the memory.
    const who = { address, clientId: named ? clientId : '' };
    const found = named ? await clients.get(clientId) : undefined;
    // Check a generated secret before the limit: it cannot be guessed, and wrong secrets from others at the same
    // address must not lock out its client. A secret that an operator chose may be weak, so the limit applies to it.
    if (found !== undefined && found.revokedAt === undefined && matchesGenerated(clientSecret, found.secretHash)) {
      failures.succeeded(who);
      return found;
    }
    await failures.check(who);
    return slot(async () => {
      // Check again: most requests of a burst pass the first check before any of them fails.
      await failures.check(who);
      const client = named ? await clients.get(clientId) : undefined;
      const right = await matchesSecret(clientSecret, client?.secretHash);
      if (client !== undefined && right && client.revokedAt === undefined) {
        failures.succeeded(who);
        return client;
      }
      await failures.count(who);
      throw new Problem('INVALID_CLIENT', 'The client id or the client secret is wrong.');
    });
  };
}

/**
 * Throws INVALID_CLIENT if the client was rotated or revoked after `seen` was read. Call it after storing a token: a
 * concurrent revocation may have deleted the tokens of the client before this token was stored.
 */
export async function checkClientUnchanged(clients: ClientStore, seen: ClientRecord): Promise<void> {
  const client = await clients.get(seen.clientId);
  if (
    client === undefined ||
    client.revokedAt !== undefined ||
    client.secretHash !== seen.secretHash ||
    client.tokensNotBefore !== seen.tokensNotBefore
  )
    throw new Problem('INVALID_CLIENT', 'The client was changed while its token was issued. Send the request again.');
}

/** The client and the address whose attempts are counted. Without a client id, they are counted by address only. */
interface AttemptKey {
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

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/**
 * Limits failed attempts of one kind of request, such as `token requests`. Successful requests are never limited. Each process
 * remembers successes by itself.
 */
export function createFailedAttempts(
  limits: FailureLimits,
  {
    of = 'token requests',
    openCounter = openMemoryCounter,
  }: { readonly of?: string; readonly openCounter?: OpenEventCounter } = {},
) {
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
    /**
     * Throws RATE_LIMITED after too many failures. Failures of others at the address do not block a client that is known
     * there.
     */
    async check(who: AttemptKey): Promise<void> {
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
    async count(who: AttemptKey): Promise<void> {
      const pair = pairKey(who);
      await byAddress.count(addressKey(who.address));
      if (pair !== undefined) await byPair.count(pair);
    },
    /** Marks the client as known at the address, which it may share with others. */
    succeeded(who: AttemptKey): void {
      const pair = pairKey(who);
      if (pair !== undefined) known.set(pair, true);
    },
  };
}

/**
 * The key under which failures of a network address are counted: the address itself, or the /64 of an IPv6 address,
 * because one machine usually has all 2^64 addresses of it. `::ffff:192.0.2.1` counts as the IPv4 address in it.
 */
export function addressKey(address: string): string {
  const [plain = ''] = address.split('%');
  if (!isIPv6(plain)) return plain;
  const wrapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (wrapped !== undefined) return wrapped;
  const [left = [], right = []] = plain.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(':')}::/64`;
}
