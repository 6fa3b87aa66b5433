import type { Scope } from '../domain/client.ts';
import type { ClientLimitChanges } from '../domain/client-limits.ts';

/** A client as it is stored. */
export interface ClientRecord {
  readonly clientId: string;
  /** Salted hash; the secret itself is nowhere. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  /** Absolute media root; undefined: the service's own. */
  readonly root?: string;
  /** What the external issuer calls it: a token there of this subject is this client's. */
  readonly externalSubject?: string;
  /** Where its limits differ from those of all clients. */
  readonly limits?: ClientLimitChanges;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Tokens issued before this moment (ISO 8601) are void: set by rotate and revoke. */
  readonly tokensNotBefore?: string;
}

export interface ClientStore {
  /** false when the name is taken, or the external subject of a client that is not revoked. */
  add(client: ClientRecord): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | undefined>;
  /** The client of a subject of the external issuer, unless it is revoked. */
  findExternal(subject: string): Promise<ClientRecord | undefined>;
  list(): Promise<readonly ClientRecord[]>;
  /** false when there is no such client. */
  update(
    clientId: string,
    change: Partial<Pick<ClientRecord, 'secretHash' | 'revokedAt' | 'tokensNotBefore' | 'scopes' | 'root' | 'limits'>>,
  ): Promise<boolean>;
}

/** One refresh token; only its hash is kept. All tokens that came from one another share a family. */
export interface RefreshRecord {
  readonly tokenHash: string;
  /** The token that it was exchanged for; the first of a family has none. */
  readonly parent?: string;
  readonly family: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** When it was first exchanged. */
  readonly usedAt?: string;
}

export interface RefreshStore {
  add(token: RefreshRecord): Promise<void>;
  get(tokenHash: string): Promise<RefreshRecord | undefined>;
  /**
   * In one transaction: marks the parent of `successor` used at `at` if it was not, and adds `successor`.
   * 'reused', and nothing added: the parent was exchanged before, and that was before `graceFrom`, or it has as many
   * successors as it may have, or one of them was used; or it is itself one of several successors, and another of
   * them was used. undefined: no such parent, or its family is gone.
   */
  rotate(
    successor: RefreshRecord & { readonly parent: string },
    rules: { readonly at: string; readonly graceFrom: string; readonly mostSuccessors: number },
  ): Promise<'rotated' | 'reused' | undefined>;
  revokeFamily(family: string): Promise<void>;
  revokeClient(clientId: string): Promise<void>;
  forget(expiredBefore: string): Promise<void>;
}

/** A key that signs access tokens. */
export interface SigningKeyRecord {
  readonly kid: string;
  /** Symmetric, base64url. */
  readonly secret: string;
  readonly createdAt: string;
  /** No longer signs; still verifies until the last token signed with it has expired. */
  readonly retiredAt?: string;
}

export interface SigningKeyStore {
  /** Adds `key` unless an unretired one is there already; returns all keys, so that two starters agree. */
  ensure(key: SigningKeyRecord): Promise<readonly SigningKeyRecord[]>;
  list(): Promise<readonly SigningKeyRecord[]>;
  /** Retires the unretired keys and adds `successor`, in one transaction. */
  rotate(successor: SigningKeyRecord, at: string): Promise<void>;
  forget(retiredBefore: string): Promise<void>;
}

/** The keys that an external issuer signs its tokens with. */
export interface IssuerKeys {
  /**
   * Its key set (RFC 7517) as it is now; what is in it is not looked at. Rejects where the issuer cannot be reached or
   * answers otherwise, and when `signal` says so. The message is for operators.
   */
  fetch(signal: AbortSignal): Promise<unknown>;
}
