import type { Scope } from '@telecine/contract/domain/client.ts';
import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';

export interface ClientRecord {
  readonly clientId: string;
  /** The hash of the client's secret, with a salt. The secret itself is not stored. */
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  /** The absolute path of the media root. Default: the media root of the service. */
  readonly root?: string;
  /** The subject of this client in tokens of the external issuer. */
  readonly externalSubject?: string;
  /** Only the limits that differ from the defaults. */
  readonly limits?: ClientLimitChanges;
  readonly createdAt: string;
  /** When the client last got a token or a session, or one was accepted (ISO 8601), at most `LAST_USE_MS` too early. Absent: never. */
  readonly lastUsedAt?: string;
  readonly revokedAt?: string;
  /** Tokens from before this time (ISO 8601) are revoked. `rotate` and `revoke` set this time. */
  readonly tokensNotBefore?: string;
  /**
   * The secret before the last rotation. It works until `until` (ISO 8601). The tokens that were issued before `until` are revoked
   * at that time. The hash stays stored afterwards.
   */
  readonly previousSecret?: { readonly hash: string; readonly until: string };
}

export interface ClientStore {
  /** Adds a client. Returns false if the name exists already, or if an active client has the same external subject. */
  add(client: ClientRecord): Promise<boolean>;
  get(clientId: string): Promise<ClientRecord | undefined>;
  /** Finds the client with this subject of the external issuer, unless it is revoked. */
  findExternal(subject: string): Promise<ClientRecord | undefined>;
  /** Lists all clients. `limited`: only those with limits of their own. `revokedWithQueue`: only revoked ones with queued jobs. */
  list(which?: 'limited' | 'revokedWithQueue'): Promise<readonly ClientRecord[]>;
  /** Changes a client. Limits that are not in `change` stay the same. Returns false if the client is unknown. */
  update(
    clientId: string,
    change: Partial<
      Pick<
        ClientRecord,
        'secretHash' | 'previousSecret' | 'lastUsedAt' | 'revokedAt' | 'tokensNotBefore' | 'scopes' | 'root' | 'limits'
      >
    >,
    options?: {
      /**
       * true: throws `LastAdmin` if no other client has the scope `admin`. Concurrent changes in all processes run one
       * after the other.
       */
      readonly keepsAdmin?: boolean;
    },
  ): Promise<boolean>;
}

/** Thrown if no client would have the scope `admin` after a change, which is then not made. */
export class LastAdmin extends Error {
  override readonly name = 'LastAdmin';
}

/** A refresh token, stored as a hash. All tokens that follow from one login form a family. */
export interface RefreshRecord {
  readonly tokenHash: string;
  /** The hash of the token that was exchanged for this one. undefined for the first token of a family. */
  readonly parent?: string;
  readonly family: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: string;
  readonly expiresAt: string;
  /** When the token was first exchanged. undefined: not yet. */
  readonly usedAt?: string;
}

export interface RefreshStore {
  add(token: RefreshRecord): Promise<void>;
  get(tokenHash: string): Promise<RefreshRecord | undefined>;
  /**
   * Adds `successor`, and marks its parent as used at `at` if it is not marked yet, in one transaction. Returns
   * undefined if the parent is unknown or its family was revoked.
   *
   * Returns 'reused' and adds nothing if the parent was used before `graceFrom`, if it has `mostSuccessors` successors
   * or a used one, or if another successor of the parent's own parent was used.
   */
  rotate(
    successor: RefreshRecord & { readonly parent: string },
    rules: { readonly at: string; readonly graceFrom: string; readonly mostSuccessors: number },
  ): Promise<'rotated' | 'reused' | undefined>;
  revokeFamily(family: string): Promise<void>;
  revokeClient(clientId: string): Promise<void>;
  /** Deletes tokens that expired before this time, in transactions of limited size. */
  forget(expiredBefore: string): Promise<void>;
  /** Deletes all but the newest `count` tokens of a client, in transactions of limited size. */
  keepNewest(clientId: string, count: number): Promise<void>;
}

/** A session of a browser, stored under the hash of its secret. */
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
  /** Removes a session. Does nothing if the session is unknown. */
  remove(sessionHash: string): Promise<void>;
  /** Deletes sessions that expired before this time, in transactions of limited size. */
  forget(expiredBefore: string): Promise<void>;
}

/** A key for signing access tokens and links. */
export interface SigningKeyRecord {
  readonly kid: string;
  /** The symmetric key in base64url. */
  readonly secret: string;
  readonly createdAt: string;
  /** When the key stopped signing. It still verifies, until the last token and link that it signed have expired. */
  readonly retiredAt?: string;
}

export interface SigningKeyStore {
  /** Adds `key` if no key is active. Returns all keys, so that processes that start at the same time use the same. */
  ensure(key: SigningKeyRecord): Promise<readonly SigningKeyRecord[]>;
  list(): Promise<readonly SigningKeyRecord[]>;
  /** Retires all keys and adds `successor`, in one transaction. */
  rotate(successor: SigningKeyRecord, at: string): Promise<void>;
  forget(retiredBefore: string): Promise<void>;
}

/** The public keys of an external issuer. */
export interface IssuerKeys {
  /** Fetches the current key set (RFC 7517), without validating it. Rejects with an error for operators. */
  fetch(signal: AbortSignal): Promise<unknown>;
}

/** The secrets of a login at the issuer. Only the browser that began the login has them, so no other can end it. */
export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier for PKCE (RFC 7636). */
  readonly verifier: string;
}

/** What the issuer replies at the end of a login. */
export interface LoginReply {
  /** The access token, whose signature is not verified yet. */
  readonly accessToken: string;
  /** The `sub` claim of the ID token, which identifies the person. */
  readonly subject: string;
  /** The name by which people know the person, such as an email address. Absent: the issuer sends none. */
  readonly name?: string;
}

/** Lets people log in at an external issuer, with PKCE. The methods reject with `IssuerLoginFailed`. */
export interface IssuerLogin {
  /**
   * Begins a login. `address`: the page on which to log in. Store the secrets in the browser until it returns.
   *
   * @param isOtherAccount Whether the issuer asks who logs in, also if the browser is logged in there.
   */
  begin(isOtherAccount: boolean): Promise<{ readonly address: string; readonly secrets: LoginSecrets }>;
  /** Ends a login. `query`: the query with which the issuer sent the browser back. */
  finish(query: string, secrets: LoginSecrets): Promise<LoginReply>;
}

/** Thrown if a login at the issuer failed. Its cause is for operators. */
export class IssuerLoginFailed extends Error {
  override readonly name = 'IssuerLoginFailed';
  /**
   * `DENIED`: the person denied the login. `REJECTED`: the browser or the issuer sent invalid data. `UNAVAILABLE`: the
   * issuer did not reply.
   */
  readonly reason: 'DENIED' | 'REJECTED' | 'UNAVAILABLE';

  constructor(reason: IssuerLoginFailed['reason'], cause: unknown) {
    super(`The login at the issuer failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.reason = reason;
  }
}

/** How many events a key has in its current time window. */
export interface WindowCount {
  /** The number of events, including the one that this call counted. */
  readonly events: number;
  /** How many milliseconds are left until the window ends. */
  readonly msLeft: number;
}

/** Counts events for each key in windows of time. The first event after a window has ended begins the next one. */
export interface EventCounter {
  /** Counts an event. Counts near `limit` are exact. */
  count(key: string, limit: number): Promise<WindowCount>;
  /** Returns undefined if the key has no event in a current window. */
  get(key: string): Promise<WindowCount | undefined>;
}

/**
 * Creates a counter. Services with the same database share the counters that have the same `name`. A count far from the
 * limit may miss recent events of other services.
 */
export type OpenEventCounter = (options: { readonly name: string; readonly windowSeconds: number }) => EventCounter;
