import type { Scope } from '@telecine/contract/domain/client.ts';
import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';

/** A stored client. */
export interface ClientRecord {
  readonly clientId: string;
  /** A salted hash. The secret itself is not stored. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  /** The absolute path of the media root. Default: the media root of the service. */
  readonly root?: string;
  /** The subject of the client in tokens of the external issuer. */
  readonly externalSubject?: string;
  /** The limits that differ from the defaults. */
  readonly limits?: ClientLimitChanges;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Tokens issued before this time (ISO 8601) are revoked. `rotate` and `revoke` set it. */
  readonly tokensNotBefore?: string;
}

export interface ClientStore {
  /** Adds a client. Returns false if the name exists, or if an active client has the external subject. */
  add(client: ClientRecord): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | undefined>;
  /** Finds the client with this subject of the external issuer, unless it is revoked. */
  findExternal(subject: string): Promise<ClientRecord | undefined>;
  /** Lists all clients, or only those with limits of their own. */
  list(which?: 'limited'): Promise<readonly ClientRecord[]>;
  /** Changes a client. Limits that `change` does not name stay. Returns false for an unknown client. */
  update(
    clientId: string,
    change: Partial<Pick<ClientRecord, 'secretHash' | 'revokedAt' | 'tokensNotBefore' | 'scopes' | 'root' | 'limits'>>,
    options?: {
      /** Throws `LastAdmin` if no other client has the scope `admin`. Concurrent changes of all processes are serialized. */
      readonly keepsAdmin?: boolean;
    },
  ): Promise<boolean>;
}

/** Thrown if a change would leave no client with the scope `admin`. Nothing is changed. */
export class LastAdmin extends Error {
  override readonly name = 'LastAdmin';
}

/** A refresh token, stored as a hash. All tokens that descend from one login form a family. */
export interface RefreshRecord {
  readonly tokenHash: string;
  /** The hash of the token that was exchanged for this one. The first token of a family has none. */
  readonly parent?: string;
  readonly family: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** The time of its first exchange. */
  readonly usedAt?: string;
}

export interface RefreshStore {
  add(token: RefreshRecord): Promise<void>;
  get(tokenHash: string): Promise<RefreshRecord | undefined>;
  /**
   * In one transaction, marks the parent of `successor` as used at `at` (the first use counts) and adds `successor`. Returns 'reused' and
   * adds nothing if the parent was used before `graceFrom`, has `mostSuccessors` successors or a used successor, or if another successor
   * of its own parent was used. Returns undefined if the parent is unknown or its family was revoked.
   */
  rotate(
    successor: RefreshRecord & { readonly parent: string },
    rules: { readonly at: string; readonly graceFrom: string; readonly mostSuccessors: number },
  ): Promise<'rotated' | 'reused' | undefined>;
  revokeFamily(family: string): Promise<void>;
  revokeClient(clientId: string): Promise<void>;
  /** In transactions of bounded size. */
  forget(expiredBefore: string): Promise<void>;
  /** Deletes all but the newest `count` tokens of a client. In transactions of bounded size. */
  keepNewest(clientId: string, count: number): Promise<void>;
}

/** A session of a browser, stored as the hash of its secret. */
export interface SessionRecord {
  readonly sessionHash: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: string;
  readonly expiresAt: string;
}

export interface SessionStore {
  add(session: SessionRecord): Promise<void>;
  get(sessionHash: string): Promise<SessionRecord | undefined>;
  /** Does nothing for an unknown session. */
  remove(sessionHash: string): Promise<void>;
  /** In transactions of bounded size. */
  forget(expiredBefore: string): Promise<void>;
}

/** A key for signing access tokens and links. */
export interface SigningKeyRecord {
  readonly kid: string;
  /** The symmetric key in base64url. */
  readonly secret: string;
  readonly createdAt: string;
  /** When the key stopped signing. It verifies until its last token and link have expired. */
  readonly retiredAt?: string;
}

export interface SigningKeyStore {
  /** Adds `key` unless a key is active. Returns all keys, so that processes that start together use the same key. */
  ensure(key: SigningKeyRecord): Promise<readonly SigningKeyRecord[]>;
  list(): Promise<readonly SigningKeyRecord[]>;
  /** In one transaction, retires all keys and adds `successor`. */
  rotate(successor: SigningKeyRecord, at: string): Promise<void>;
  forget(retiredBefore: string): Promise<void>;
}

/** The public keys of an external issuer. */
export interface IssuerKeys {
  /** Fetches the current key set (RFC 7517) without validation. Rejects with an error for operators. */
  fetch(signal: AbortSignal): Promise<unknown>;
}

/** Secrets that tie the end of a login to the browser of its start. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

/** The reply of the issuer at the end of a login. */
export interface LoginReply {
  /** Not verified. */
  readonly accessToken: string;
  /** The `sub` claim of the ID token. */
  readonly subject: string;
}

/** Logins of people at an external issuer, by authorization code with PKCE. Both reject with `IssuerLoginFailed`. */
export interface IssuerLogin {
  /** `address`: where the person logs in. Store the secrets in the browser until it returns. */
  begin(): Promise<{ readonly address: string; readonly secrets: LoginSecrets }>;
  /** `query`: of the address to which the issuer sent the browser. */
  finish(query: string, secrets: LoginSecrets): Promise<LoginReply>;
}

/** Thrown if a login at the issuer failed. The cause is for operators. */
export class IssuerLoginFailed extends Error {
  override readonly name = 'IssuerLoginFailed';
  /** `DENIED`: by the person. `REJECTED`: the browser or the issuer sent invalid data. `UNAVAILABLE`: the issuer did not reply. */
  readonly reason: 'DENIED' | 'REJECTED' | 'UNAVAILABLE';

  constructor(reason: IssuerLoginFailed['reason'], cause: unknown) {
    super(`The login at the issuer failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.reason = reason;
  }
}

/** The events of one key in its current window of time. */
export interface WindowCount {
  /** With the event of the call. */
  readonly events: number;
  /** The rest of the window, in milliseconds. */
  readonly msLeft: number;
}

/** Counts events by key. A window begins with the first event after the end of the last window. */
export interface EventCounter {
  count(key: string): Promise<WindowCount>;
  /** Returns undefined if there was no event in the current window. */
  get(key: string): Promise<WindowCount | undefined>;
}

/** Creates a counter that services of one database share by its `name`. Counts are exact near `limit`. */
export type OpenEventCounter = (options: {
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}) => EventCounter;
