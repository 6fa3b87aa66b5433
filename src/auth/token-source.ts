import type { Scope } from '../domain/client.ts';
import type { Problem } from '../domain/problem.ts';
import type { ClientCache } from './clients/client-cache.ts';
import type { ClientRecord } from './ports.ts';

/** What a good token says. */
export interface TokenClaims {
  /** By what name its source knows whose it is: the key of `TokenSource.standings`. */
  readonly subject: string;
  readonly scopes: readonly Scope[];
  /** Whole seconds since 1970. */
  readonly issuedAt: number;
  /** Milliseconds since 1970: from then on the token is read anew, or has expired. */
  readonly goodUntil: number;
}

/** One kind of access tokens: those of this service, or those of an external issuer. */
export interface TokenSource {
  /** Checks form, signature, origin and times. Throws INVALID_TOKEN, or UNAVAILABLE where that cannot be told now. */
  read(token: string): Promise<TokenClaims>;
  /** The clients that its subjects stand for. */
  readonly standings: ClientCache;
  /** Why a good token lets nobody in: it has no client, or not from its time. */
  refused(claims: TokenClaims, client: ClientRecord | undefined): Problem;
}
