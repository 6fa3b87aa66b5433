import type { Scope } from '../domain/client.ts';
import type { ClientLimitChanges } from '../domain/client-limits.ts';

/** A stored client. */
export interface ClientRecord {
  readonly clientId: string;
  /** Salted hash. The secret itself is not stored. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  /** Absolute media root. undefined: the media root of the service. */
  readonly root?: string;
  /** The subject of the client at the external issuer. A token with this subject authenticates the client. */
  readonly externalSubject?: string;
  /** Limits that differ from the defaults. */
  readonly limits?: ClientLimitChanges;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Tokens issued earlier (ISO 8601) are revoked. Set by rotate and revoke. */
  readonly tokensNotBefore?: string;
}

export interface ClientStore {
  /** False if the name exists, or if a client that is not revoked has the external subject. */
  add(client: ClientRecord): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | undefined>;
  /** Finds the client with this subject of the external issuer, unless it is revoked. */
  findExternal(subject: string): Promise<ClientRecord | undefined>;
  list(): Promise<readonly ClientRecord[]>;
  /** False if there is no such client. */
  update(
    clientId: string,
    change: Partial<Pick<ClientRecord, 'secretHash' | 'revokedAt' | 'tokensNotBefore' | 'scopes' | 'root' | 'limits'>>,
  ): Promise<boolean>;
}

/** A refresh token, stored as a hash. Tokens that were exchanged for one another share a family. */
export interface RefreshRecord {
  readonly tokenHash: string;
  /** Hash of the token that was exchanged for this one. Missing in the first of a family. */
  readonly parent?: string;
  readonly family: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** Time of its first exchange. */
  readonly usedAt?: string;
}

export interface RefreshStore {
  add(token: RefreshRecord): Promise<void>;
  get(tokenHash: string): Promise<RefreshRecord | undefined>;
  /**
   * In one transaction, marks the parent of `successor` as used (at `at`, if it was not used before) and adds
   * `successor`. Returns 'reused' and adds nothing if the parent was used before `graceFrom`, if it has
   * `mostSuccessors` successors, if one of them was used, or if another successor of its own parent was used. Returns
   * undefined if there is no such parent or its family was revoked.
   */
  rotate(
    successor: RefreshRecord & { readonly parent: string },
    rules: { readonly at: string; readonly graceFrom: string; readonly mostSuccessors: number },
  ): Promise<'rotated' | 'reused' | undefined>;
  revokeFamily(family: string): Promise<void>;
  revokeClient(clientId: string): Promise<void>;
  forget(expiredBefore: string): Promise<void>;
}

/** A key for signing access tokens and links. */
export interface SigningKeyRecord {
  readonly kid: string;
  /** Symmetric, base64url. */
  readonly secret: string;
  readonly createdAt: string;
  /** The key signs no more since then. It still verifies until its last token and link have expired. */
  readonly retiredAt?: string;
}

export interface SigningKeyStore {
  /** Adds `key` unless there is a key that is not retired. Returns all keys, so that two processes that start agree. */
  ensure(key: SigningKeyRecord): Promise<readonly SigningKeyRecord[]>;
  list(): Promise<readonly SigningKeyRecord[]>;
  /** In one transaction, retires all keys and adds `successor`. */
  rotate(successor: SigningKeyRecord, at: string): Promise<void>;
  forget(retiredBefore: string): Promise<void>;
}

/** The public keys of an external issuer. */
export interface IssuerKeys {
  /**
   * Fetches the current key set (RFC 7517), unchecked. Rejects if the issuer cannot be reached or sends something else,
   * and when `signal` aborts. The message is for operators.
   */
  fetch(signal: AbortSignal): Promise<unknown>;
}
