import { randomUUID } from 'node:crypto';
import { type Authenticate, checkClientUnchanged } from '../clients/authenticate.ts';
import type { CountGrant } from '../clients/grant-limit.ts';
import type { TokenOperations } from '../operations.ts';
import type { ClientStore, RefreshStore } from '../ports.ts';
import { grantScopes } from '../scopes.ts';
import { REFRESH_TOKEN_SECONDS } from '../token-ttl.ts';
import type { TokenIssuer } from './access-token.ts';
import { issueAccessToken, issueRefreshToken } from './issue-token.ts';

interface Deps {
  readonly authenticate: Authenticate;
  readonly clients: ClientStore;
  readonly refreshTokens: RefreshStore;
  readonly issuer: TokenIssuer;
  readonly countGrant: CountGrant;
}

/** Issues a pair of tokens for a login. The refresh token starts a new family. */
export function createIssue({
  authenticate,
  clients,
  refreshTokens,
  issuer,
  countGrant,
}: Deps): TokenOperations['issue'] {
  return async (request) => {
    const client = await authenticate(request);
    const scopes = grantScopes(client.scopes, request.scopes);
    countGrant(client);
    const { refreshToken, record } = issueRefreshToken(client, { family: randomUUID(), scopes }, issuer.now());
    await refreshTokens.add(record);
    const access = await issueAccessToken(issuer, client, scopes);
    await checkClientUnchanged(clients, client);
    return { ...access, refreshToken, refreshExpiresIn: REFRESH_TOKEN_SECONDS };
  };
}

/** Issues only an access token for a login. */
export function createClientCredentials({
  authenticate,
  clients,
  issuer,
  countGrant,
}: Omit<Deps, 'refreshTokens'>): TokenOperations['clientCredentials'] {
  return async (request) => {
    const client = await authenticate(request);
    const scopes = grantScopes(client.scopes, request.scopes);
    countGrant(client);
    const access = await issueAccessToken(issuer, client, scopes);
    await checkClientUnchanged(clients, client);
    return access;
  };
}
