import type { StoreLimits } from '../domain/client.ts';
import type { ClientLimits } from '../domain/client-limits.ts';
import type { MediaRoot } from '../domain/media-root.ts';
import { createAuthenticate } from './clients/authenticate.ts';
import { createClientCache } from './clients/client-cache.ts';
import { createFailedAttempts, type FailureLimits } from './clients/failed-attempts.ts';
import { grantLimit } from './clients/grant-limit.ts';
import type { ExternalIssuer } from './external/external-issuer.ts';
import { externalTokens } from './external/external-tokens.ts';
import { createLinks } from './links.ts';
import type { LinkOperations, SessionOperations, TokenOperations } from './operations.ts';
import type {
  ClientStore,
  IssuerLogin,
  OpenEventCounter,
  RefreshStore,
  SessionStore,
  SigningKeyStore,
} from './ports.ts';
import { sessionTokens } from './sessions/session-tokens.ts';
import { createSessions } from './sessions/sessions.ts';
import { createSignInCodes } from './sessions/sign-in-codes.ts';
import { KEPT_REFRESH_TOKENS } from './token-ttl.ts';
import type { TokenIssuer } from './tokens/access-token.ts';
import { createClientCredentials, createIssue } from './tokens/issue.ts';
import { ownTokens } from './tokens/own-tokens.ts';
import { createRefresh } from './tokens/refresh.ts';
import { openSigningKeys } from './tokens/signing-keys.ts';
import { createVerify } from './tokens/verify.ts';

export interface TokenService extends TokenOperations {
  readonly links: LinkOperations;
  readonly sessions: SessionOperations;
  /** Makes a code with which a browser signs in as this client once. Valid for `SIGN_IN_CODE_SECONDS`, in this process only. */
  makeSignInCode(clientId: string): string;
  /** Deletes expired refresh tokens and sessions, and of each client the oldest that are too many. Call it about once an hour. */
  sweep(): Promise<void>;
}

/** Opens the signing keys and builds the operations on tokens, sessions and links. */
export async function openTokens(deps: {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly sessions: SessionStore;
  readonly signingKeys: SigningKeyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The claims `iss` and `aud` of access tokens. A change invalidates all issued tokens. */
  readonly issuer: string;
  readonly audience: string;
  /** An external issuer whose tokens are also accepted. */
  readonly external?: ExternalIssuer;
  /** Logins of people at that issuer, by which they sign in to pages of this service. */
  readonly login?: IssuerLogin;
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
  const { clients, refreshTokens, sessions, now, rootOf, policy } = deps;
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
  const countGrant = grantLimit(policy);
  const clientsById = createClientCache((clientId) => clients.get(clientId), now);
  const own = ownTokens(issuer, clientsById);
  const external = deps.external && externalTokens(deps.external, clients, now);
  const ofSessions = sessionTokens({ sessions, clients: clientsById, now });
  const codes = createSignInCodes(now);
  return {
    issue: createIssue({ authenticate, clients, refreshTokens, issuer, countGrant }),
    clientCredentials: createClientCredentials({ authenticate, clients, issuer, countGrant }),
    refresh: createRefresh({ authenticate, clients, refreshTokens, issuer, failures, countGrant }),
    verify: createVerify({
      sourceOf: (token) => (external?.claimsIssuer(token) === true ? external : own),
      now,
      rootOf,
      policy,
    }),
    sessions: {
      ...createSessions({
        ...{ authenticate, clients, sessions, codes, countGrant, now },
        ...(external &&
          deps.external &&
          deps.login && {
            external: {
              issuer: deps.external.issuer,
              login: deps.login,
              // Only tokens of the issuer: its reply must not be one of ours.
              verify: createVerify({ sourceOf: () => external, now, rootOf, policy }),
              failures: failuresOf('sign-ins by the issuer'),
            },
          }),
      }),
      verify: createVerify({ sourceOf: () => ofSessions, now, rootOf, policy }),
    },
    makeSignInCode: (clientId) => codes.make(clientId),
    links: createLinks({ keys: issuer.keys, clients, now, rootOf, policy }),
    sweep: async () => {
      const at = new Date(now()).toISOString();
      await refreshTokens.forget(at);
      await sessions.forget(at);
      for (const { clientId } of await clients.list()) await refreshTokens.keepNewest(clientId, KEPT_REFRESH_TOKENS);
    },
  };
}
