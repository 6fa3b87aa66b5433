import type { IssuerKeys } from '../ports.ts';

/** An OAuth issuer elsewhere whose access tokens are taken here. */
export interface ExternalIssuer {
  /** Exactly as its tokens say it in `iss`. */
  readonly issuer: string;
  /** A token must name one of them in `aud`. */
  readonly audiences: readonly string[];
  /** What the names of our scopes begin with there; '' where they are the same. */
  readonly scopePrefix: string;
  /** Also takes tokens that do not say by their `typ` that they are access tokens (RFC 9068). */
  readonly plainJwt: boolean;
  readonly keys: IssuerKeys;
}
