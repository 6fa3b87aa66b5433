import { Problem } from '../../domain/problem.ts';
import type { Authenticate } from '../clients/authenticate.ts';
import { checkClientUnchanged } from '../clients/authenticate.ts';
import type { FailedAttempts } from '../clients/failed-attempts.ts';
import { hashRefreshToken } from '../clients/secrets.ts';
import type { TokenOperations } from '../operations.ts';
import type { ClientRecord, ClientStore, RefreshRecord, RefreshStore } from '../ports.ts';
import { grantScopes, intersectScopes } from '../scopes.ts';
import { REFRESH_GRACE_SECONDS, REFRESH_REPLAYS, REFRESH_TOKEN_SECONDS } from '../token-ttl.ts';
import type { TokenIssuer } from './access-token.ts';
import { issueAccessToken, issueRefreshToken, notBefore } from './issue-token.ts';

/** One message for a token that never was, one that was revoked and one that was used before: no oracle. */
const refused = (): Problem =>
  new Problem(
    'INVALID_TOKEN',
    'The refresh token is not valid, or no longer. Obtain a new one at POST /api/auth/token.',
  );

const expired = (): Problem =>
  new Problem('INVALID_TOKEN', 'The refresh token has expired. Obtain a new one at POST /api/auth/token.');

/** A refresh token for its successor and a new access token; see `TokenOperations.refresh`. */
export function createRefresh(deps: {
  readonly authenticate: Authenticate;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly issuer: TokenIssuer;
  /** Apart from those of secrets: a program that keeps sending a dead token must not bar its neighbours' secrets. */
  readonly failures: FailedAttempts;
}): TokenOperations['refresh'] {
  const { authenticate, clients, refreshTokens, issuer, failures } = deps;

  async function look(text: string, at: number): Promise<{ token: RefreshRecord; client: ClientRecord }> {
    const token = await refreshTokens.get(hashRefreshToken(text));
    if (token === undefined) throw refused();
    if (Date.parse(token.expiresAt) <= at) throw expired();
    const client = await clients.get(token.clientId);
    if (client === undefined || client.revokedAt !== undefined) throw refused();
    if (Date.parse(token.issuedAt) < notBefore(client)) throw refused();
    return { token, client };
  }

  /**
   * Stores a successor. Sent again within the grace, a token gets another one, as long as none was used: then the
   * first reply was not lost, and one who has only one of them is a thief. Of several successors, the first to be
   * used goes on. A token that is used against these rules is taken for stolen, and its family ends.
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
    if (rotated !== 'rotated') throw refused();
    return refreshToken;
  }

  return async (request) => {
    const who = { address: request.address };
    const owner = request.client && (await authenticate({ ...request.client, address: request.address }));
    try {
      const at = issuer.now();
      const { token, client } = await look(request.refreshToken, at);
      if (owner !== undefined && owner.clientId !== token.clientId) throw refused();
      const held = intersectScopes(token.scopes, client.scopes);
      const scopes = grantScopes(held, request.scopes);
      const refreshToken = await exchange(token, client, at);
      const access = await issueAccessToken(issuer, client, scopes);
      await checkClientUnchanged(clients, client);
      return { ...access, refreshToken, refreshExpiresIn: REFRESH_TOKEN_SECONDS };
    } catch (error) {
      if (error instanceof Problem && error.code === 'INVALID_TOKEN') {
        // Here and not before: a token cannot be guessed, so that who has a good one may pay for nobody's bad ones.
        await failures.check(who);
        await failures.count(who);
      }
      throw error;
    }
  };
}
