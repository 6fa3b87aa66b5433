import type { StoreLimits } from '../domain/allowed-stores.ts';
import type { ClientLimits } from '../domain/client-limits.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { createAuthenticate } from './clients/authenticate.ts';
import { createFailedAttempts, type FailureLimits } from './clients/failed-attempts.ts';
import type { ExternalIssuer } from './external/external-issuer.ts';
import { createLinks } from './links.ts';
import type { LinkOperations, TokenOperations } from './operations.ts';
import type { ClientStore, OpenEventCounter, RefreshStore, SigningKeyStore } from './ports.ts';
import type { TokenIssuer } from './tokens/access-token.ts';
import { createClientCredentials, createIssue } from './tokens/issue.ts';
import { createRefresh } from './tokens/refresh.ts';
import { openSigningKeys } from './tokens/signing-keys.ts';
import { createVerify } from './tokens/verify.ts';

export interface TokenService extends TokenOperations {
  readonly links: LinkOperations;
  /** Deletes expired refresh tokens. Call it about once an hour. */
  sweep(): Promise<void>;
}

/** Opens the signing keys and builds the token and link operations. */
export async function openTokens(deps: {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly signingKeys: SigningKeyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The claims `iss` and `aud` of access tokens. A change invalidates all issued tokens. */
  readonly issuer: string;
  readonly audience: string;
  /** An external issuer whose tokens are also accepted. */
  readonly external?: ExternalIssuer;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  readonly rootOf: (root: string | undefined, clientId: string, limits: StoreLimits) => MediaRoot;
  /** The default limits of clients. */
  readonly policy: ClientLimits;
  readonly failureLimits: FailureLimits;
  /** Called after this process rotated the signing keys, with the id of the new one. */
  readonly onKeyRotated?: (kid: string) => void;
  /** Default: counters in memory. */
  readonly openCounter?: OpenEventCounter;
}): Promise<TokenService> {
  const { clients, refreshTokens, now, rootOf, policy } = deps;
  const issuer: TokenIssuer = {
    keys: await openSigningKeys({
      store: deps.signingKeys,
      now,
      ...(deps.onKeyRotated && { onRotated: deps.onKeyRotated }),
    }),
    issuer: deps.issuer,
    audience: deps.audience,
    now,
  };
  const failuresOf = (of: string) =>
    createFailedAttempts(deps.failureLimits, { of, ...(deps.openCounter && { openCounter: deps.openCounter }) });
  const authenticate = createAuthenticate({ clients, failures: failuresOf('token requests') });
  const failures = failuresOf('refresh requests');
  return {
    issue: createIssue({ authenticate, clients, refreshTokens, issuer }),
    clientCredentials: createClientCredentials({ authenticate, clients, issuer }),
    refresh: createRefresh({ authenticate, clients, refreshTokens, issuer, failures }),
    verify: createVerify({ issuer, external: deps.external, clients, rootOf, policy }),
    links: createLinks({ keys: issuer.keys, clients, now, rootOf, policy }),
    sweep: () => refreshTokens.forget(new Date(now()).toISOString()),
  };
}
