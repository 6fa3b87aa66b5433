import { LRUCache } from 'lru-cache';
import type { Caller } from '../domain/client.ts';
import { type AccessClaims, MAX_TOKEN_LENGTH, readAccessToken, type TokenIssuer } from './access-token.ts';
import { invalidToken } from './invalid-token.ts';
import { notBefore } from './mint.ts';
import type { TokenOperations } from './operations.ts';
import type { ClientRecord, ClientStore } from './ports.ts';
import { stillHeld } from './scopes.ts';
import { createStandings, type Standing } from './standing.ts';

/** Some 15 MB when full. A token that falls out is verified anew. */
const CACHED_TOKENS = 10_000;

/** A token whose signature was checked. `caller` is what it amounts to under `record`. */
interface Verified {
  readonly claims: AccessClaims;
  readonly standing: Standing;
  record: ClientRecord | undefined;
  caller: Caller | undefined;
}

/**
 * Checks access tokens; see `TokenOperations.verify`. A signature is checked once, since that is half the cost of
 * a request: what is remembered by the token's text, up to its expiry, is that it was good, never that its client is.
 */
export function createVerify(deps: {
  readonly issuer: TokenIssuer;
  readonly clients: ClientStore;
  /** The root of clients that have none of their own. */
  readonly mediaRoot: string;
}): TokenOperations['verify'] {
  const { issuer, clients, mediaRoot } = deps;
  const { now } = issuer;
  const cache = new LRUCache<string, Verified>({ max: CACHED_TOKENS });
  const standings = createStandings(clients, now);

  function callerOf(verified: Verified): Caller {
    const { claims, standing } = verified;
    const { record } = standing;
    if (verified.caller !== undefined && verified.record === record) return verified.caller;
    if (record === undefined || record.revokedAt !== undefined || claims.issuedAt * 1000 < notBefore(record))
      throw invalidToken('revoked');
    verified.record = record;
    verified.caller = {
      clientId: record.clientId,
      scopes: stillHeld(claims.scopes, record.scopes),
      root: record.root ?? mediaRoot,
    };
    return verified.caller;
  }

  async function reread(verified: Verified): Promise<Caller> {
    await standings.read(verified.standing);
    return callerOf(verified);
  }

  async function first(token: string): Promise<Caller> {
    const claims = await readAccessToken(issuer, token);
    const standing = standings.of(claims.clientId);
    const verified: Verified = { claims, standing, record: undefined, caller: undefined };
    cache.set(token, verified);
    return standings.isFresh(standing, now()) ? callerOf(verified) : reread(verified);
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
    if (token.length > MAX_TOKEN_LENGTH) throw invalidToken('malformed');
    const verified = remembered(token);
    if (verified === undefined) return first(token);
    const at = now();
    if (at >= verified.claims.expiresAt * 1000) {
      cache.delete(token);
      throw invalidToken('expired');
    }
    return standings.isFresh(verified.standing, at) ? callerOf(verified) : reread(verified);
  };
}
