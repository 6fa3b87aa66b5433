import type { IssuerKeys } from '../ports.ts';

/** An external OAuth issuer whose access tokens are accepted. */
export interface ExternalIssuer {
  /** Exactly as in the `iss` claim of its tokens. */
  readonly issuer: string;
  /** A token needs one of them in its `aud` claim. */
  readonly audiences: readonly string[];
  /** Prefix of our scopes in its tokens; '' if there is none. */
  readonly scopePrefix: string;
  /** Also accepts tokens whose `typ` does not mark them as access tokens (RFC 9068). */
  readonly plainJwt: boolean;
  readonly keys: IssuerKeys;
}
