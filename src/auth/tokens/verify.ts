import { LRUCache } from 'lru-cache';
import type { Caller } from '../../domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '../../domain/client-limits.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { CachedClient } from '../clients/client-cache.ts';
import type { ExternalIssuer } from '../external/external-issuer.ts';
import { externalTokens } from '../external/external-tokens.ts';
import type { TokenOperations } from '../operations.ts';
import type { ClientRecord, ClientStore } from '../ports.ts';
import { intersectScopes } from '../scopes.ts';
import type { TokenClaims, TokenSource } from '../token-source.ts';
import type { TokenIssuer } from './access-token.ts';
import { invalidToken } from './invalid-token.ts';
import { notBefore } from './issue-token.ts';
import { ownTokens } from './own-tokens.ts';

/** In characters, for tokens of any issuer: our own are some 500, and what fits into a header is 16 Ki. */
const LONGEST_TOKEN = 8192;

/** Some 30 MB when full. A token that falls out is verified anew. */
const CACHED_TOKENS = 10_000;
const CACHED_CHARACTERS = 2 ** 24;

/** A token whose signature was checked. `caller` is what it amounts to under `record`. */
interface Verified {
  readonly source: TokenSource;
  readonly claims: TokenClaims;
  readonly standing: CachedClient;
  record: ClientRecord | undefined;
  caller: Caller | undefined;
}

/**
 * Checks access tokens; see `TokenOperations.verify`. A signature is checked once, since that is half the cost of
 * a request: what is remembered by the token's text, for a while, is that it was good, never that its client is. What lets
 * nobody in is not remembered: an external issuer may know many who are no clients here.
 */
export function createVerify(deps: {
  readonly issuer: TokenIssuer;
  /** Whose tokens are taken besides our own. */
  readonly external: ExternalIssuer | undefined;
  readonly clients: ClientStore;
  /** The media root of a client from its record; undefined: the service's own. */
  readonly rootOf: (root: string | undefined) => MediaRoot;
  /** The limits of clients that have none of their own. */
  readonly policy: ClientLimits;
}): TokenOperations['verify'] {
  const { issuer, external, clients, rootOf, policy } = deps;
  const { now } = issuer;
  const cache = new LRUCache<string, Verified>({
    max: CACHED_TOKENS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  });
  const own = ownTokens(issuer, clients);
  const others = external && externalTokens(external, clients, now);

  function callerOf(verified: Verified): Caller {
    const { source, claims, standing } = verified;
    const { record } = standing;
    if (verified.caller !== undefined && verified.record === record) return verified.caller;
    if (record === undefined || record.revokedAt !== undefined || claims.issuedAt * 1000 < notBefore(record))
      throw source.refused(claims, record);
    verified.record = record;
    verified.caller = {
      clientId: record.clientId,
      scopes: intersectScopes(claims.scopes, record.scopes),
      root: rootOf(record.root),
      policy: mergeClientLimits(policy, record.limits),
    };
    return verified.caller;
  }

  async function reread(verified: Verified): Promise<Caller> {
    await verified.source.standings.read(verified.standing);
    return callerOf(verified);
  }

  async function first(token: string): Promise<Caller> {
    const source = others?.names(token) === true ? others : own;
    const claims = await source.read(token);
    const standing = source.standings.of(claims.subject);
    const verified: Verified = { source, claims, standing, record: undefined, caller: undefined };
    const caller = source.standings.isFresh(standing, now()) ? callerOf(verified) : await reread(verified);
    cache.set(token, verified);
    return caller;
  }

  // One client's token comes many times in a row, and comparing it costs a tenth of looking it up.
  let latest: { readonly token: string; readonly verified: Verified } | undefined;

  function remembered(token: string): Verified | undefined {
    if (latest?.token === token) return latest.verified;
    const verified = cache.get(token);
    if (verified !== undefined) latest = { token, verified };
    return verified;
  }

  return (token) => {
    if (token === undefined || token === '') throw invalidToken('missing');
    if (token.length > LONGEST_TOKEN) throw invalidToken('malformed');
    const verified = remembered(token);
    if (verified === undefined) return first(token);
    const at = now();
    if (at >= verified.claims.goodUntil) {
      cache.delete(token);
      latest = undefined;
      return first(token);
    }
    return verified.source.standings.isFresh(verified.standing, at) ? callerOf(verified) : reread(verified);
  };
}
