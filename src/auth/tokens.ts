import type { MediaRoot } from '../domain/media-root.ts';
import type { Policy } from '../domain/policy.ts';
import type { TokenIssuer } from './access-token.ts';
import { createAuthenticate } from './authenticate.ts';
import type { ExternalIssuer } from './external-issuer.ts';
import { createFailedAttempts, type FailureLimits } from './failed-attempts.ts';
import { createClientCredentials, createIssue } from './issue.ts';
import { createLinks } from './links.ts';
import type { LinkOperations, TokenOperations } from './operations.ts';
import type { ClientStore, RefreshStore, SigningKeyStore } from './ports.ts';
import { createRefresh } from './refresh.ts';
import { openSigningKeys } from './signing-keys.ts';
import { createVerify } from './verify.ts';

export interface TokenService extends TokenOperations {
  readonly links: LinkOperations;
  /** Forgets refresh tokens that have expired. For a caller that does so every hour or so. */
  sweep(): Promise<void>;
}

/** Opens the signing keys and puts the verbs together. */
export async function openTokens(deps: {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly signingKeys: SigningKeyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** `iss` and `aud` of the access tokens; one who changes them voids the tokens that are out. */
  readonly issuer: string;
  readonly audience: string;
  /** Whose tokens are taken besides; left out: nobody's. */
  readonly external?: ExternalIssuer;
  /** The media root of a client from its record; undefined: the service's own. */
  readonly rootOf: (root: string | undefined) => MediaRoot;
  /** The limits of clients that have none of their own. */
  readonly policy: Policy;
  readonly failureLimits: FailureLimits;
}): Promise<TokenService> {
  const { clients, refreshTokens, now, rootOf, policy } = deps;
  const issuer: TokenIssuer = {
    keys: await openSigningKeys({ store: deps.signingKeys, now }),
    issuer: deps.issuer,
    audience: deps.audience,
    now,
  };
  const authenticate = createAuthenticate({ clients, failures: createFailedAttempts(deps.failureLimits) });
  const failures = createFailedAttempts(deps.failureLimits);
  return {
    issue: createIssue({ authenticate, clients, refreshTokens, issuer }),
    clientCredentials: createClientCredentials({ authenticate, clients, issuer }),
    refresh: createRefresh({ authenticate, clients, refreshTokens, issuer, failures }),
    verify: createVerify({ issuer, external: deps.external, clients, rootOf, policy }),
    links: createLinks({ keys: issuer.keys, clients, now, rootOf, policy }),
    sweep: () => refreshTokens.forget(new Date(now()).toISOString()),
  };
}
