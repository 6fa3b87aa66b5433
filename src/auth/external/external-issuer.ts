import type { IssuerKeys } from '../ports.ts';

/** An external OAuth issuer whose access tokens are accepted. */
export interface ExternalIssuer {
  /** The issuer, exactly as in the `iss` claim of its tokens. */
  readonly issuer: string;
  /** The accepted audiences. The `aud` claim of a token must contain one of them. */
  readonly audiences: readonly string[];
  /** The prefix of our scopes in its tokens; '' if there is none. */
  readonly scopePrefix: string;
  /** Whether tokens are accepted whose `typ` does not mark them as access tokens (RFC 9068). */
  readonly plainJwt: boolean;
  readonly keys: IssuerKeys;
}
