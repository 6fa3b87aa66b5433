import { randomUUID } from 'node:crypto';
import type { Scope } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { type AccessToken, issueAccessToken, type TokenIssuer } from './access-tokens.ts';
import { type Authenticate, type ClientLogin, checkClientUnchanged, type FailedAttempts } from './authenticate.ts';
import type { CountGrant } from './counters.ts';
import { notBefore, REFRESH_GRACE_SECONDS, REFRESH_REPLAYS, REFRESH_TOKEN_SECONDS } from './lifetimes.ts';
import type { ClientRecord, ClientStore, RefreshRecord, RefreshStore } from './ports.ts';
import { grantScopes, intersectScopes } from './scopes.ts';
import { hashToken, newRefreshToken } from './secrets.ts';
import type { NoteUse, Verify } from './verify.ts';

interface TokenPair extends AccessToken {
  readonly refreshToken: string;
  /** In seconds. */
  readonly refreshExpiresIn: number;
}

/** Default: all scopes of the client. */
interface RequestedScopes {
  readonly scopes?: readonly string[];
}

export type TokenOperations = ReturnType<typeof tokenOperations> & { readonly verify: Verify };

/**
 * Creates the operations on tokens, except their verification. Each throws a `Problem`: INVALID_CLIENT (with the same
 * message for all reasons), INVALID_TOKEN, INSUFFICIENT_SCOPE, INVALID_REQUEST with UNKNOWN_SCOPE, or RATE_LIMITED.
 */
export function tokenOperations(deps: {
  readonly authenticate: Authenticate;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly issuer: TokenIssuer;
  /**
   * Counts failed refreshes, separately from failed logins, so that a program with an old token does not block logins
   * from its address.
   */
  readonly failures: FailedAttempts;
  readonly countGrant: CountGrant;
  readonly noteUse: NoteUse;
}) {
  const { authenticate, clients, refreshTokens, issuer, failures, countGrant, noteUse } = deps;

  async function logIn(request: ClientLogin & RequestedScopes) {
    const client = await authenticate(request);
    const scopes = grantScopes(client.scopes, request.scopes);
    countGrant(client);
    return { client, scopes };
  }

  async function issueAccess(client: ClientRecord, scopes: readonly Scope[]): Promise<AccessToken> {
    const access = await issueAccessToken(issuer, client, scopes);
    await checkClientUnchanged(clients, client);
    noteUse(client);
    return access;
  }

  async function findToken(text: string, at: number): Promise<{ token: RefreshRecord; client: ClientRecord }> {
    const token = await refreshTokens.get(hashToken(text));
    if (token === undefined) throw badRefreshToken('is invalid');
    if (Date.parse(token.expiresAt) <= at) throw badRefreshToken('has expired');
    const client = await clients.get(token.clientId);
    if (client === undefined || client.revokedAt !== undefined) throw badRefreshToken('is invalid');
    if (Date.parse(token.issuedAt) < notBefore(client, at)) throw badRefreshToken('is invalid');
    return { token, client };
  }

  /**
   * Stores and returns a successor of a refresh token. Because a reply may be lost, a token that is sent again within
   * the grace period gets another successor, as long as none of them was used. Any other reuse counts as theft and
   * revokes the family.
   */
  async function exchange(token: RefreshRecord, client: ClientRecord, at: number): Promise<string> {
    const { refreshToken, record } = issueRefreshToken(client, token, at);
    const rotated = await refreshTokens.rotate(
      { ...record, parent: token.tokenHash },
      {
        at: new Date(at).toISOString(),
        graceFrom: new Date(at - REFRESH_GRACE_SECONDS * 1000).toISOString(),
        mostSuccessors: 1 + REFRESH_REPLAYS,
      },
    );
    if (rotated === 'reused') await refreshTokens.revokeFamily(token.family);
    if (rotated !== 'rotated') throw badRefreshToken('is invalid');
    return refreshToken;
  }

  return {
    /** Issues a pair of tokens for a login. The refresh token starts a new family. */
    async issue(request: ClientLogin & RequestedScopes): Promise<TokenPair> {
      const { client, scopes } = await logIn(request);
      const { refreshToken, record } = issueRefreshToken(client, { family: randomUUID(), scopes }, issuer.now());
      await refreshTokens.add(record);
      return { ...(await issueAccess(client, scopes)), refreshToken, refreshExpiresIn: REFRESH_TOKEN_SECONDS };
    },

    /** Handles the client credentials grant of OAuth, which gives no refresh token (RFC 6749, 4.4.3). */
    async clientCredentials(request: ClientLogin & RequestedScopes): Promise<AccessToken> {
      const { client, scopes } = await logIn(request);
      return issueAccess(client, scopes);
    },

    /**
     * Exchanges a refresh token for a new pair of tokens. Requested scopes narrow only the access token (RFC 6749, 6).
     * OAuth clients also send `client`: their login must be valid, and the token must be theirs.
     */
    async refresh(
      request: {
        readonly refreshToken: string;
        readonly address: string;
        readonly client?: Pick<ClientLogin, 'clientId' | 'clientSecret'>;
      } & RequestedScopes,
    ): Promise<TokenPair> {
      const who = { address: request.address };
      const owner = request.client && (await authenticate({ ...request.client, address: request.address }));
      try {
        const at = issuer.now();
        const { token, client } = await findToken(request.refreshToken, at);
        if (owner !== undefined && owner.clientId !== token.clientId) throw badRefreshToken('is invalid');
        const scopes = grantScopes(intersectScopes(token.scopes, client.scopes), request.scopes);
        countGrant(client);
        const refreshToken = await exchange(token, client, at);
        return { ...(await issueAccess(client, scopes)), refreshToken, refreshExpiresIn: REFRESH_TOKEN_SECONDS };
      } catch (error) {
        if (error instanceof Problem && error.code === 'INVALID_TOKEN') {
          // Check the limit only after a failure, so that a valid token works even if other requests from the address
          // fail.
          await failures.check(who);
          await failures.count(who);
        }
        throw error;
      }
    },
  };
}

/** Creates a refresh token and its record. `at`: milliseconds since 1970. */
export function issueRefreshToken(
  client: ClientRecord,
  { family, scopes }: Pick<RefreshRecord, 'family' | 'scopes'>,
  at: number,
): { readonly refreshToken: string; readonly record: RefreshRecord } {
  const refreshToken = newRefreshToken();
  const issuedAt = Math.max(at, notBefore(client, at));
  const record = {
    tokenHash: hashToken(refreshToken),
    family,
    clientId: client.clientId,
    scopes,
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(issuedAt + REFRESH_TOKEN_SECONDS * 1000).toISOString(),
  };
  return { refreshToken, record };
}

/**
 * The problem for a refresh token. The message is the same for unknown, revoked and reused tokens, so that it reveals
 * nothing.
 */
const badRefreshToken = (why: 'is invalid' | 'has expired'): Problem =>
  new Problem('INVALID_TOKEN', `The refresh token ${why}. Request a new one with POST /api/auth/token.`);
