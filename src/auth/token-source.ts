import type { Scope } from '../domain/client.ts';
import type { Problem } from '../domain/problem.ts';
import type { ClientCache } from './clients/client-cache.ts';
import type { ClientRecord } from './ports.ts';

/** The claims of a valid token. */
export interface TokenClaims {
  /** The key of the client in `TokenSource.clients`. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970. After this time the token is verified again, or has expired. */
  readonly validUntil: number;
}

/** One kind of token: access tokens of this service, those of an external issuer, or the secrets of sessions. */
export interface TokenSource {
  /** Checks format, signature, issuer and times. Throws INVALID_TOKEN, or UNAVAILABLE if the keys are not available. */
  read(token: string): Promise<TokenClaims>;
  /** The clients, by the subjects of these tokens. */
  readonly clients: ClientCache;
  /** The problem for a valid token whose client does not exist, was rotated or was revoked. */
  rejection(claims: TokenClaims, client: ClientRecord | undefined): Problem;
}
