import type { Caller } from '../domain/client.ts';

/** A client that proves who it is. */
export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Network address that the request came from; failures are counted by it. */
  readonly address: string;
}

/** An answer to `POST /api/auth/token` less its refresh token. */
export interface AccessToken {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  /** Seconds. */
  readonly expiresIn: number;
  /** What the access token allows, names separated by a space. */
  readonly scope: string;
}

export interface TokenPair extends AccessToken {
  readonly refreshToken: string;
  /** Seconds. */
  readonly refreshExpiresIn: number;
}

/** The scopes that the token is to have, by name; none: all that the client holds. */
interface AskedScopes {
  readonly scopes?: readonly string[];
}

/**
 * What the doors (REST, OAuth, MCP) can ask for. Each throws `Problem`: INVALID_CLIENT (one message for a wrong
 * id, a wrong secret and a revoked client), INVALID_TOKEN, INSUFFICIENT_SCOPE for a scope that the client does not
 * hold, INVALID_REQUEST with UNKNOWN_SCOPE for a name that is no scope, RATE_LIMITED after too many failures.
 */
export interface TokenOperations {
  issue(request: ClientLogin & AskedScopes): Promise<TokenPair>;
  /** The OAuth grant of that name: it has no refresh token (RFC 6749, 4.4.3). */
  clientCredentials(request: ClientLogin & AskedScopes): Promise<AccessToken>;
  /**
   * Exchanges a refresh token for a new pair. Scopes that are asked for narrow the access token alone; the
   * refresh token keeps its own (RFC 6749, 6). `client`: also sent by an OAuth client, then it must be right
   * and the token must be its own.
   */
  refresh(
    request: {
      readonly refreshToken: string;
      readonly address: string;
      readonly client?: Pick<ClientLogin, 'clientId' | 'clientSecret'>;
    } & AskedScopes,
  ): Promise<TokenPair>;
  /**
   * Who sent this access token (without the word `Bearer`); undefined: none was sent. Answers at once where the
   * token was seen before and its client was looked up within the last second. Throws at once or rejects. Of a token of
   * an external issuer also: NOT_A_CLIENT where nobody here is its subject, UNAVAILABLE where it cannot be checked now.
   */
  verify(token: string | undefined): Caller | Promise<Caller>;
}

/** What makes an address good without a token. All of it may be seen by whoever holds the link. */
export interface SignedLink {
  /** Who gave it away. */
  readonly client: string;
  /** Whole seconds since 1970, as text. */
  readonly issued: string;
  readonly expires: string;
  /** Which key signed it. */
  readonly key: string;
  readonly signature: string;
}

/** Links to one thing each, for who has no token. */
export interface LinkOperations {
  /** One link a subject, each of which names what may be had; `seconds`: at most `LONGEST_LINK_SECONDS`. */
  sign(caller: Caller, subjects: readonly string[], seconds: number): Promise<readonly SignedLink[]>;
  /**
   * Who gave away this link to `subject`, as far as it still may read files. Throws INVALID_LINK, LINK_EXPIRED; which
   * part of a link is wrong is not told.
   */
  verify(subject: string, link: SignedLink): Promise<Caller>;
}
