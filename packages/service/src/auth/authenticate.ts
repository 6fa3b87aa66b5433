import { Problem } from '@telecine/contract/domain/problem.ts';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { addressKey } from './address-key.ts';
import { isClientName } from './clients.ts';
import { openMemoryCounter, rateLimited } from './counters.ts';
import { previousHash } from './lifetimes.ts';
import type { ClientRecord, ClientStore, EventCounter, OpenEventCounter } from './ports.ts';
import { matchesGenerated, matchesSecret } from './secrets.ts';

/** The client id and the secret that a client sends to log in. */
export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The IP address of the request, by which failed logins are counted. */
  readonly address: string;
}

/**
 * How many hashes run at the same time. Each takes one of libuv's four threads for about 50 ms, and file access needs
 * the other two.
 */
const HASHES_AT_ONCE = 2;

/** Finds the client with this id and secret. Throws RATE_LIMITED, or INVALID_CLIENT without saying what is wrong. */
export type Authenticate = (credentials: ClientLogin) => Promise<ClientRecord>;

export function createAuthenticate(deps: {
  readonly clients: ClientStore;
  readonly failures: FailedAttempts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}): Authenticate {
  const { clients, failures, now } = deps;
  const slot = pLimit(HASHES_AT_ONCE);

  return async ({ clientId, clientSecret, address }) => {
    const named = isClientName(clientId);
    // All ids that cannot be client ids share one counter. Otherwise, invented ids could fill the memory.
    const who = { address, clientId: named ? clientId : '' };
    const found = named ? await clients.get(clientId) : undefined;
    // Check a generated secret before the limit: nobody can guess it, so failures of others at this address must not
    // block its client. A secret that the operator chose may be weak, so the limit applies to it.
    const isGenerated =
      found !== undefined &&
      [found.secretHash, previousHash(found, now())].some((hash) => matchesGenerated(clientSecret, hash));
    if (found !== undefined && found.revokedAt === undefined && isGenerated) {
      failures.succeeded(who);
      return found;
    }
    await failures.check(who);
    return slot(async () => {
      // Check again: in a burst, many requests pass the first check before one of them fails.
      await failures.check(who);
      const client = named ? await clients.get(clientId) : undefined;
      const before = client && previousHash(client, now());
      // Checking the previous secret may take a second hash. Only clients that have a previous secret take longer by it.
      const right =
        (await matchesSecret(clientSecret, client?.secretHash)) ||
        (before !== undefined && (await matchesSecret(clientSecret, before)));
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
 * Throws INVALID_CLIENT if the client was rotated or revoked since `seen` was read. Call this after storing a token,
 * which a concurrent revocation may have missed.
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

/** Failures are counted by address and, if there is a client id, also by the pair of client and address. */
interface AttemptKey {
  readonly address: string;
  readonly clientId?: string;
}

export interface FailureLimits {
  /**
   * The maximum number of failures per minute with one client id from one address. There is no limit for a client id
   * from all addresses: with one, anyone could lock the client out.
   */
  readonly perClientAndAddressAMinute: number;
  /** The maximum number of failures per minute from one address, with any client id. */
  readonly perAddressAMinute: number;
}

const WINDOW_SECONDS = 60;

/** How long a client counts as known at its address after a success. */
const KNOWN_MS = 3_600_000;
/** The maximum number of known pairs of client and address. */
const MAX_KNOWN = 10_000;

export type FailedAttempts = ReturnType<typeof createFailedAttempts>;

/**
 * Limits the failures of one kind of request, such as `token requests`. Each process only knows the successful requests
 * that it handled itself.
 */
export function createFailedAttempts(
  limits: FailureLimits,
  {
    of = 'token requests',
    openCounter = openMemoryCounter,
  }: { readonly of?: string; readonly openCounter?: OpenEventCounter } = {},
) {
  const open = (by: string): EventCounter =>
    openCounter({ name: `failed ${of} by ${by}`, windowSeconds: WINDOW_SECONDS });
  const byPair = open('client and address');
  const byAddress = open('address');
  const known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS, perf: Date });

  const pairKey = ({ address, clientId }: AttemptKey): string | undefined =>
    clientId === undefined ? undefined : `${clientId}@${addressKey(address)}`;

  const waitMs = async (counter: EventCounter, limit: number, key: string): Promise<number> => {
    const found = await counter.get(key);
    return found !== undefined && found.events >= limit ? found.msLeft : 0;
  };

  return {
    /**
     * Throws RATE_LIMITED after too many failures. Failures of other clients do not block a client that is known at the
     * address.
     */
    async check(who: AttemptKey): Promise<void> {
      const pair = pairKey(who);
      const isKnown = pair !== undefined && known.has(pair);
      const wait = Math.max(
        isKnown ? 0 : await waitMs(byAddress, limits.perAddressAMinute, addressKey(who.address)),
        pair === undefined ? 0 : await waitMs(byPair, limits.perClientAndAddressAMinute, pair),
      );
      if (wait > 0) throw rateLimited('Too many failed token requests. Retry', wait);
    },
    async count(who: AttemptKey): Promise<void> {
      const pair = pairKey(who);
      await byAddress.count(addressKey(who.address), limits.perAddressAMinute);
      if (pair !== undefined) await byPair.count(pair, limits.perClientAndAddressAMinute);
    },
    /** Marks the client as known at the address. */
    succeeded(who: AttemptKey): void {
      const pair = pairKey(who);
      if (pair !== undefined) known.set(pair, true);
    },
  };
}
