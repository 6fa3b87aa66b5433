import type { Caller } from '@telecine/contract/domain/client.ts';
import { ownTokens, type TokenIssuer } from './access-tokens.ts';
import { createAuthenticate, createFailedAttempts, type FailureLimits } from './authenticate.ts';
import { grantLimit } from './counters.ts';
import { type ExternalSignIn, externalSignIn } from './external-sign-in.ts';
import { type ExternalIssuer, externalTokens } from './external-tokens.ts';
import { KEPT_REFRESH_TOKENS } from './lifetimes.ts';
import { createLinks, type LinkOperations } from './links.ts';
import type {
  ClientStore,
  IssuerLogin,
  OpenEventCounter,
  RefreshStore,
  SessionStore,
  SigningKeyStore,
} from './ports.ts';
import { createSignInCodes, sessionOperations, sessionStarter, sessionTokens } from './sessions.ts';
import { openSigningKeys } from './signing-keys.ts';
import { type TokenOperations, tokenOperations } from './token-operations.ts';
import { type CallerDeps, createClientCache, createNoteUse, createVerify, type TokenSource } from './verify.ts';

/** The operations on browser sessions. A session ends when it expires, or when its client is rotated or revoked. */
export type SessionOperations = ReturnType<typeof sessionOperations> & {
  /** Finds the caller to whom the secret of a session belongs. */
  verify(secret: string): Caller | Promise<Caller>;
  /** undefined: people cannot sign in with an external issuer. */
  readonly external?: ExternalSignIn;
};

export type TokenService = TokenOperations & {
  readonly links: LinkOperations;
  readonly sessions: SessionOperations;
  /** Creates a code that signs a browser in once, within `SIGN_IN_CODE_SECONDS` and only in this process. */
  makeSignInCode(clientId: string): string;
  /**
   * Deletes expired refresh tokens and sessions, and refresh tokens of a client above `KEPT_REFRESH_TOKENS`. Call this
   * every hour.
   */
  sweep(): Promise<void>;
};

interface TokenServiceDeps extends CallerDeps {
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly sessions: SessionStore;
  readonly signingKeys: SigningKeyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The claims `iss` and `aud` of access tokens. If one of them changes, all issued tokens become invalid. */
  readonly issuer: string;
  readonly audience: string;
  /** An external issuer whose tokens are accepted too. */
  readonly external?: ExternalIssuer;
  /** Lets people log in at this external issuer. */
  readonly login?: IssuerLogin;
  readonly failureLimits: FailureLimits;
  /** Called after this process has rotated the signing keys. `kid`: the id of the new key. */
  readonly onKeyRotated?: (kid: string) => void;
  /** Called with errors of writes that no request waits for. */
  readonly onInternalError?: (error: unknown) => void;
  /** Default: counters in memory. */
  readonly openCounter?: OpenEventCounter;
}

/** Opens the signing keys, and creates the operations on tokens, sessions and links. */
export async function openTokens(deps: TokenServiceDeps): Promise<TokenService> {
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
  const authenticate = createAuthenticate({ clients, now, failures: failuresOf('token requests') });
  const countGrant = grantLimit(policy);
  const clientsById = createClientCache((clientId) => clients.get(clientId), now);
  const own = ownTokens(issuer, clientsById);
  const external = deps.external && externalTokens(deps.external, clients, now);
  const ofSessions = sessionTokens(sessions, clientsById, now);
  const codes = createSignInCodes(now);
  const noteUse = createNoteUse(clients, now, deps.onInternalError);
  const begin = sessionStarter({ clients, sessions, countGrant, noteUse, now });
  const verifyBy = (sourceOf: (token: string) => TokenSource) =>
    createVerify({ sourceOf, noteUse, now, rootOf, policy });
  const failures = failuresOf('refresh requests');
  return {
    ...tokenOperations({ authenticate, clients, refreshTokens, issuer, failures, countGrant, noteUse }),
    verify: verifyBy((token) => (external?.claimsIssuer(token) === true ? external : own)),
    sessions: {
      ...sessionOperations({ authenticate, clients, sessions, codes, begin }),
      verify: verifyBy(() => ofSessions),
      ...(external &&
        deps.external &&
        deps.login && {
          external: externalSignIn({
            issuer: deps.external.issuer,
            login: deps.login,
            // Only for tokens of the external issuer, not for those of this service.
            verify: verifyBy(() => external),
            failures: failuresOf('sign-ins by the issuer'),
            ...{ clients, begin, now },
          }),
        }),
    },
    makeSignInCode: codes.make,
    links: createLinks({ keys: issuer.keys, clients, now, rootOf, policy }),
    sweep: async () => {
      const at = new Date(now()).toISOString();
      await refreshTokens.forget(at);
      await sessions.forget(at);
      for (const { clientId } of await clients.list()) await refreshTokens.keepNewest(clientId, KEPT_REFRESH_TOKENS);
    },
  };
}
