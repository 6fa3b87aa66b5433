import type { Caller, Scope } from '../domain/client.ts';
import type { SignedLink } from '../domain/signed-link.ts';

/** The id and the secret with which a client logs in. */
export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The IP address of the request. Failures are counted by address. */
  readonly address: string;
}

/** The reply to `POST /api/auth/token` without its refresh token. */
export interface AccessToken {
  /** Not part of the reply: the audit log names the client. */
  readonly clientId: string;
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
}

export interface TokenPair extends AccessToken {
  readonly refreshToken: string;
  /** Seconds. */
  readonly refreshExpiresIn: number;
}

/** The names of the requested scopes. Default: all scopes of the client. */
interface RequestedScopes {
  readonly scopes?: readonly string[];
}

/**
 * The token operations behind REST, OAuth and MCP. Each throws `Problem`: INVALID_CLIENT (one message for a wrong id, a
 * wrong secret and a revoked client), INVALID_TOKEN, INSUFFICIENT_SCOPE for a scope that the client does not have,
 * INVALID_REQUEST with UNKNOWN_SCOPE, RATE_LIMITED after too many failures.
 */
export interface TokenOperations {
  issue(request: ClientLogin & RequestedScopes): Promise<TokenPair>;
  /** The client credentials grant of OAuth. It returns no refresh token (RFC 6749, 4.4.3). */
  clientCredentials(request: ClientLogin & RequestedScopes): Promise<AccessToken>;
  /**
   * Exchanges a refresh token for a new pair. Requested scopes narrow only the access token; the refresh token keeps
   * its own (RFC 6749, 6). OAuth clients also send `client`; it must be valid, and the token must belong to it.
   */
  refresh(
    request: {
      readonly refreshToken: string;
      readonly address: string;
      readonly client?: Pick<ClientLogin, 'clientId' | 'clientSecret'>;
    } & RequestedScopes,
  ): Promise<TokenPair>;
  /**
   * Finds the caller by its access token (without `Bearer`; undefined if the request has none). Returns synchronously
   * if the token was verified before and its client was read within the last second. Throws or rejects with
   * INVALID_TOKEN. A token of an external issuer can also cause NOT_A_CLIENT, if no client has its subject, and
   * UNAVAILABLE, if the keys of the issuer are not available.
   */
  verify(token: string | undefined): Caller | Promise<Caller>;
}

/** A session of a browser. */
export interface Session {
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A session that was started, with its secret. The secret is stored only as a hash. */
export interface StartedSession extends Session {
  readonly secret: string;
}

/**
 * Sessions: how a browser stays signed in without a token in its scripts. A session has all scopes that its client has. It ends
 * when it expires, and as tokens do: when the client is rotated or revoked.
 */
export interface SessionOperations {
  /** Throws INVALID_CLIENT or RATE_LIMITED, as for a token. */
  start(login: ClientLogin): Promise<StartedSession>;
  /** Starts a session by a code of `TokenService.makeSignInCode`. Throws INVALID_CLIENT. */
  startByCode(code: string): Promise<StartedSession>;
  /** Finds the caller by the secret of its session, as `TokenOperations.verify` by a token. */
  verify(secret: string): Caller | Promise<Caller>;
  /** Reads a verified session. Throws INVALID_TOKEN if it has ended meanwhile. */
  get(secret: string): Promise<Session>;
  /** Ends the session. Other processes know it within a second. */
  end(secret: string): Promise<void>;
  /** Absent unless people can sign in by an external issuer. */
  readonly external?: ExternalSignIn;
}

/** Sign-in of people by an external issuer. Both reject with `SignInFailed`, and with RATE_LIMITED after too many failures. */
export interface ExternalSignIn {
  /** The issuer, as in the `iss` claim of its tokens. */
  readonly issuer: string;
  /**
   * Begins a sign-in. Send the browser to `address`, and let it keep `ticket`, for ten minutes, until it comes back with `state`. `returnTo`: the page that it wants,
   * a path of this service (`isOwnPath`). `address` of the arguments: the IP address of the request.
   */
  start(
    returnTo: string,
    address: string,
  ): Promise<{ readonly address: string; readonly state: string; readonly ticket: string }>;
  /** Ends it, by the query with which the issuer sent the browser back. The session has the scopes that the issuer granted. */
  finish(request: {
    readonly query: string;
    readonly ticket: string | undefined;
    readonly address: string;
  }): Promise<{ readonly session: StartedSession; readonly returnTo: string }>;
}

/** What a link needs: to read outputs, or to upload a file. */
export type LinkScope = 'files:read' | 'files:write';

/** Signs and verifies links that work without a token. */
export interface LinkOperations {
  /** Signs a link to a subject, such as the outputs of a job. `seconds` is at most `LONGEST_LINK_SECONDS`. */
  sign(caller: Caller, subject: string, seconds: number): Promise<SignedLink>;
  /**
   * Verifies the link to `subject`. Returns the client that signed it, with that scope, if it still has it. Throws
   * INVALID_LINK, which does not say what is wrong, or LINK_EXPIRED.
   */
  verify(subject: string, link: SignedLink, scope: LinkScope): Promise<Caller>;
}
