import type { Caller, Scope, StoreLimits } from '@telecine/contract/domain/client.ts';
import { type ClientLimits, mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { LAST_USE_MS } from '@telecine/contract/domain/last-use.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { LRUCache } from 'lru-cache';
import { isFresh, notBefore } from './lifetimes.ts';
import type { ClientRecord, ClientStore } from './ports.ts';
import { intersectScopes } from './scopes.ts';

export interface TokenClaims {
  /** Identifies the client in `TokenSource.clients`. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. After this time, the token has expired, or must be verified again. */
  readonly validUntil: number;
}

/** A kind of token: access tokens of this service, access tokens of an external issuer, or secrets of sessions. */
export interface TokenSource {
  /**
   * Checks the format, signature, issuer and times of a token. Throws INVALID_TOKEN. Throws UNAVAILABLE if the keys of
   * the issuer are not available.
   */
  read(token: string): Promise<TokenClaims>;
  /** The clients, by the subjects of these tokens. */
  readonly clients: ClientCache;
  /** Returns the problem for a valid token whose client is unknown, rotated or revoked. */
  rejection(claims: TokenClaims, client: ClientRecord | undefined): Problem;
}

/** How long a cached client record is used. A revocation by another process takes effect after this time. */
const TRUSTED_MS = 1000;

/** The cached record of a client, which all its tokens share. */
interface CachedClient {
  /** The client id, or the subject at the external issuer. */
  readonly key: string;
  record: ClientRecord | undefined;
  /** When the last read of the record began, in milliseconds since 1970. */
  readAt: number;
  reading: Promise<void> | undefined;
}

export type ClientCache = ReturnType<typeof createClientCache>;

/**
 * Caches client records. `find` reads the client with a key. A key that no client has is not cached, because anyone can
 * invent keys.
 */
export function createClientCache(find: (key: string) => Promise<ClientRecord | undefined>, now: () => number) {
  const all = new Map<string, CachedClient>();

  async function read(entry: CachedClient): Promise<void> {
    const startedAt = now();
    entry.record = await find(entry.key);
    entry.readAt = startedAt;
    if (entry.record === undefined) all.delete(entry.key);
  }

  return {
    of(key: string): CachedClient {
      let entry = all.get(key);
      if (entry === undefined) {
        entry = { key, record: undefined, readAt: Number.NEGATIVE_INFINITY, reading: undefined };
        all.set(key, entry);
      }
      return entry;
    },
    isFresh: (entry: CachedClient, at: number): boolean => isFresh(entry.readAt, at, TRUSTED_MS),
    /** Reads the record of a client again. Concurrent calls share one read. */
    read(entry: CachedClient): Promise<void> {
      entry.reading ??= read(entry).finally(() => {
        entry.reading = undefined;
      });
      return entry.reading;
    },
  };
}

/** Called with the record of a client when it gets a token or a session, and when one is accepted, at most once a second for each token. */
export type NoteUse = (record: ClientRecord) => void;

/** After a failed write of the last use of a client, the next one is tried after this time. */
const RETRY_USE_MS = 60_000;

/**
 * Stores when clients are used, once in `LAST_USE_MS`. No request waits for the write. If it fails, a request after
 * `RETRY_USE_MS` tries again: a database that cannot write must not get a write for each request. `onError` is called with
 * the first failure in a row.
 */
export function createNoteUse(
  clients: Pick<ClientStore, 'update'>,
  now: () => number,
  onError: (error: unknown) => void = () => {},
): NoteUse {
  // The last write for each client, and for how long there is no other. A cached record does not have what was written
  // after it was read.
  const writes = new Map<string, { readonly at: number; readonly forMs: number }>();
  let isFailing = false;

  async function write(clientId: string, at: number): Promise<void> {
    writes.set(clientId, { at, forMs: LAST_USE_MS });
    try {
      await clients.update(clientId, { lastUsedAt: new Date(at).toISOString() });
      isFailing = false;
    } catch (error) {
      writes.set(clientId, { at, forMs: RETRY_USE_MS });
      if (!isFailing) onError(error);
      isFailing = true;
    }
  }

  return ({ clientId, lastUsedAt }) => {
    const at = now();
    if (lastUsedAt !== undefined && isFresh(Date.parse(lastUsedAt), at, LAST_USE_MS)) return;
    const last = writes.get(clientId);
    if (last === undefined || !isFresh(last.at, at, last.forMs)) void write(clientId, at);
  };
}

/** The maximum length of a token of any issuer, in characters. A token of this service has about 500. */
const LONGEST_TOKEN = 8192;

/** The maximum number of cached tokens. A full cache takes about 30 MB. */
const CACHED_TOKENS = 10_000;
const CACHED_CHARACTERS = 2 ** 24;

/** A token whose signature was verified. `caller` was created from `record`. */
interface Verified {
  readonly source: TokenSource;
  readonly claims: TokenClaims;
  readonly client: CachedClient;
  record: ClientRecord | undefined;
  caller: Caller | undefined;
}

export interface CallerDeps {
  /** Returns the media root for the `root` of a client record. undefined: for the media root of the service. */
  readonly rootOf: (root: string | undefined, clientId: string, limits: StoreLimits) => MediaRoot;
  /** The default limits of clients. */
  readonly policy: ClientLimits;
}

/** Creates the caller of a request. The caller has those of the granted scopes that its client still has. */
export function callerFor(record: ClientRecord, granted: readonly Scope[], { rootOf, policy }: CallerDeps): Caller {
  const { clientId, root, scopes } = record;
  const limits = mergeClientLimits(policy, record.limits);
  return { clientId, scopes: intersectScopes(granted, scopes), root: rootOf(root, clientId, limits), policy: limits };
}

/**
 * Finds the caller to whom an access token belongs. `token`: the token without `Bearer`; undefined if the request has
 * none. Returns without a promise if the token was verified before and the client was read within the last second.
 *
 * Throws or rejects with INVALID_TOKEN. For a token of an external issuer, also with NOT_A_CLIENT and UNAVAILABLE.
 */
export type Verify = (token: string | undefined) => Caller | Promise<Caller>;

/**
 * Creates `TokenOperations.verify` or `SessionOperations.verify`. Caches verified tokens, because a signature check
 * takes half the time of a request. Does not cache rejected tokens: an external issuer may have many unknown subjects.
 */
export function createVerify(
  deps: CallerDeps & {
    readonly sourceOf: (token: string) => TokenSource;
    readonly noteUse: NoteUse;
    /** Milliseconds since 1970. */
    readonly now: () => number;
  },
): Verify {
  const { sourceOf, noteUse, now } = deps;
  const cache = new LRUCache<string, Verified>({
    max: CACHED_TOKENS,
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (_, token) => token.length,
  });

  function callerOfToken(verified: Verified): Caller {
    const { source, claims, client } = verified;
    const { record } = client;
    if (verified.caller !== undefined && verified.record === record) return verified.caller;
    // The record is read again every second, so the end of a previous secret is noticed within a second.
    if (record === undefined || record.revokedAt !== undefined || claims.issuedAt < notBefore(record, now()))
      throw source.rejection(claims, record);
    verified.record = record;
    verified.caller = callerFor(record, claims.scopes, deps);
    return verified.caller;
  }

  /** The caller, whose use is noted. */
  function verifyAndNoteUse(verified: Verified): Caller {
    const caller = callerOfToken(verified);
    if (verified.record !== undefined) noteUse(verified.record);
    return caller;
  }

  async function readClientAgain(verified: Verified): Promise<Caller> {
    await verified.source.clients.read(verified.client);
    return verifyAndNoteUse(verified);
  }

  async function verifyToken(token: string): Promise<Caller> {
    const source = sourceOf(token);
    const claims = await source.read(token);
    const client = source.clients.of(claims.subject);
    const verified: Verified = { source, claims, client, record: undefined, caller: undefined };
    const caller = source.clients.isFresh(client, now()) ? verifyAndNoteUse(verified) : await readClientAgain(verified);
    cache.set(token, verified);
    return caller;
  }

  return (token) => {
    if (token === undefined || token === '') throw invalidToken('missing');
    if (token.length > LONGEST_TOKEN) throw invalidToken('malformed');
    const verified = cache.get(token);
    if (verified === undefined) return verifyToken(token);
    const at = now();
    if (at >= verified.claims.validUntil) {
      cache.delete(token);
      return verifyToken(token);
    }
    return verified.source.clients.isFresh(verified.client, at) ? callerOfToken(verified) : readClientAgain(verified);
  };
}

/** The messages for rejected access tokens, which reveal no details. */
const MESSAGES = {
  missing: 'The access token is missing. Send "Authorization: Bearer <token>" with a token from POST /api/auth/token.',
  malformed: 'The access token is malformed, or not from this service. Request one with POST /api/auth/token.',
  expired: 'The access token has expired. Send the refresh token to POST /api/auth/refresh.',
  revoked: 'The access token was revoked. Request a new one with POST /api/auth/token.',
} as const;

/** The problem for a rejected access token. `cause` is for the log. */
export const invalidToken = (why: keyof typeof MESSAGES, cause?: unknown): Problem =>
  new Problem('INVALID_TOKEN', MESSAGES[why], { cause });
