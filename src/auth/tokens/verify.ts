import { LRUCache } from 'lru-cache';
import type { Caller, StoreLimits } from '../../domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '../../domain/client-limits.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { CachedClient } from '../clients/client-cache.ts';
import type { TokenOperations } from '../operations.ts';
import type { ClientRecord } from '../ports.ts';
import { intersectScopes } from '../scopes.ts';
import type { TokenClaims, TokenSource } from '../token-source.ts';
import { invalidToken } from './invalid-token.ts';
import { notBefore } from './issue-token.ts';

/** The maximum length of a token of any issuer, in characters. Our tokens have about 500. */
const LONGEST_TOKEN = 8192;

/** The size of the cache, which takes about 30 MB when full. An evicted token is verified again. */
const CACHED_TOKENS = 10_000;
const CACHED_CHARACTERS = 2 ** 24;

/** A token with a verified signature. `caller` is derived from `record`. */
interface Verified {
  readonly source: TokenSource;
  readonly claims: TokenClaims;
  readonly client: CachedClient;
  record: ClientRecord | undefined;
  caller: Caller | undefined;
}

/**
 * Creates `TokenOperations.verify` or `SessionOperations.verify`. A signature check is half the cost of a request, so its
 * result is cached by the text of the token; the state of the client is read again. Rejected tokens are not cached: an
 * external issuer may have many subjects that are not clients here.
 */
export function createVerify(deps: {
  /** The kind of a token, by its text alone. */
  readonly sourceOf: (token: string) => TokenSource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  readonly rootOf: (root: string | undefined, clientId: string, limits: StoreLimits) => MediaRoot;
  /** The default limits of clients. */
  readonly policy: ClientLimits;
}): TokenOperations['verify'] {
  const { sourceOf, now, rootOf, policy } = deps;
  const cache = new LRUCache<string, Verified>({
    max: CACHED_TOKENS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  });

  function callerOf(verified: Verified): Caller {
    const { source, claims, client } = verified;
    const { record } = client;
    if (verified.caller !== undefined && verified.record === record) return verified.caller;
    if (record === undefined || record.revokedAt !== undefined || claims.issuedAt < notBefore(record))
      throw source.rejection(claims, record);
    verified.record = record;
    const limits = mergeClientLimits(policy, record.limits);
    verified.caller = {
      clientId: record.clientId,
      scopes: intersectScopes(claims.scopes, record.scopes),
      root: rootOf(record.root, record.clientId, limits),
      policy: limits,
    };
    return verified.caller;
  }

  async function readClientAgain(verified: Verified): Promise<Caller> {
    await verified.source.clients.read(verified.client);
    return callerOf(verified);
  }

  async function verifyToken(token: string): Promise<Caller> {
    const source = sourceOf(token);
    const claims = await source.read(token);
    const client = source.clients.of(claims.subject);
    const verified: Verified = { source, claims, client, record: undefined, caller: undefined };
    const caller = source.clients.isFresh(client, now()) ? callerOf(verified) : await readClientAgain(verified);
    cache.set(token, verified);
    return caller;
  }

  // Consecutive requests often have the same token. Comparing it costs a tenth of a cache lookup.
  let latest: { readonly token: string; readonly verified: Verified } | undefined;

  function findVerified(token: string): Verified | undefined {
    if (latest?.token === token) return latest.verified;
    const verified = cache.get(token);
    if (verified !== undefined) latest = { token, verified };
    return verified;
  }

  return (token) => {
    if (token === undefined || token === '') throw invalidToken('missing');
    if (token.length > LONGEST_TOKEN) throw invalidToken('malformed');
    const verified = findVerified(token);
    if (verified === undefined) return verifyToken(token);
    const at = now();
    if (at >= verified.claims.validUntil) {
      cache.delete(token);
      latest = undefined;
      return verifyToken(token);
    }
    return verified.source.clients.isFresh(verified.client, at) ? callerOf(verified) : readClientAgain(verified);
  };
}
