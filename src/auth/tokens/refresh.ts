import { Problem } from '../../domain/problem.ts';
import type { Authenticate } from '../clients/authenticate.ts';
import { checkClientUnchanged } from '../clients/authenticate.ts';
import type { FailedAttempts } from '../clients/failed-attempts.ts';
import type { CountGrant } from '../clients/grant-limit.ts';
import { hashToken } from '../clients/secrets.ts';
import type { TokenOperations } from '../operations.ts';
import type { ClientRecord, ClientStore, RefreshRecord, RefreshStore } from '../ports.ts';
import { grantScopes, intersectScopes } from '../scopes.ts';
import { REFRESH_GRACE_SECONDS, REFRESH_REPLAYS, REFRESH_TOKEN_SECONDS } from '../token-ttl.ts';
import type { TokenIssuer } from './access-token.ts';
import { issueAccessToken, issueRefreshToken, notBefore } from './issue-token.ts';

/** One message for unknown, revoked and reused tokens, so that it reveals nothing. */
const invalidRefreshToken = (): Problem =>
  new Problem('INVALID_TOKEN', 'The refresh token is invalid. Request a new one with POST /api/auth/token.');

const expiredRefreshToken = (): Problem =>
  new Problem('INVALID_TOKEN', 'The refresh token has expired. Request a new one with POST /api/auth/token.');

/** Creates `TokenOperations.refresh`. */
export function createRefresh(deps: {
  readonly authenticate: Authenticate;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly issuer: TokenIssuer;
  /**
   * Counts failed refreshes, separately from failed logins: a program that keeps sending an old token must not block
   * logins from its address.
   */
  readonly failures: FailedAttempts;
  readonly countGrant: CountGrant;
}): TokenOperations['refresh'] {
  const { authenticate, clients, refreshTokens, issuer, failures, countGrant } = deps;

  async function findToken(text: string, at: number): Promise<{ token: RefreshRecord; client: ClientRecord }> {
    const token = await refreshTokens.get(hashToken(text));
    if (token === undefined) throw invalidRefreshToken();
    if (Date.parse(token.expiresAt) <= at) throw expiredRefreshToken();
    const client = await clients.get(token.clientId);
    if (client === undefined || client.revokedAt !== undefined) throw invalidRefreshToken();
    if (Date.parse(token.issuedAt) < notBefore(client)) throw invalidRefreshToken();
    return { token, client };
  }

  /**
   * Stores and returns a successor. A token that is sent again within the grace period gets another successor, because
   * the first reply may be lost, until one of the successors is used. Any other reuse counts as theft and revokes the
   * family.
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
    if (rotated !== 'rotated') throw invalidRefreshToken();
    return refreshToken;
  }

  return async (request) => {
    const who = { address: request.address };
    const owner = request.client && (await authenticate({ ...request.client, address: request.address }));
    try {
      const at = issuer.now();
      const { token, client } = await findToken(request.refreshToken, at);
      if (owner !== undefined && owner.clientId !== token.clientId) throw invalidRefreshToken();
      const currentScopes = intersectScopes(token.scopes, client.scopes);
      const scopes = grantScopes(currentScopes, request.scopes);
      countGrant(client);
      const refreshToken = await exchange(token, client, at);
      const access = await issueAccessToken(issuer, client, scopes);
      await checkClientUnchanged(clients, client);
      return { ...access, refreshToken, refreshExpiresIn: REFRESH_TOKEN_SECONDS };
    } catch (error) {
      if (error instanceof Problem && error.code === 'INVALID_TOKEN') {
        // Check the limit only after a failure: a valid token must work even if others at the address fail.
        await failures.check(who);
        await failures.count(who);
      }
      throw error;
    }
  };
}
