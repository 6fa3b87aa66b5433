import type { Scope } from '../../domain/client.ts';
import { hashToken, newRefreshToken } from '../clients/secrets.ts';
import type { AccessToken } from '../operations.ts';
import type { ClientRecord, RefreshRecord } from '../ports.ts';
import { ACCESS_TOKEN_SECONDS, REFRESH_TOKEN_SECONDS } from '../token-ttl.ts';
import { signAccessToken, type TokenIssuer } from './access-token.ts';

/** The time before which all issued tokens of the client are revoked, in milliseconds since 1970. */
export const notBefore = (client: ClientRecord): number =>
  client.tokensNotBefore === undefined ? 0 : Date.parse(client.tokensNotBefore);

/**
 * Issues an access token. `iat` is in whole seconds. If it were rounded down, a token issued in the same second as a
 * rotation would count as older, so `iat` is at least the first full second after the rotation.
 */
export async function issueAccessToken(
  by: TokenIssuer,
  client: ClientRecord,
  scopes: readonly Scope[],
): Promise<AccessToken> {
  const issuedAt = Math.max(Math.floor(by.now() / 1000), Math.ceil(notBefore(client) / 1000));
  const accessToken = await signAccessToken(by, { clientId: client.clientId, scopes, issuedAt });
  return {
    clientId: client.clientId,
    accessToken,
    tokenType: 'Bearer',
    expiresIn: ACCESS_TOKEN_SECONDS,
    scope: scopes.join(' '),
  };
}

/** Creates a refresh token and the record to store. `at`: milliseconds since 1970. */
export function issueRefreshToken(
  client: ClientRecord,
  from: Pick<RefreshRecord, 'family' | 'scopes'>,
  at: number,
): { readonly refreshToken: string; readonly record: RefreshRecord } {
  const refreshToken = newRefreshToken();
  const issuedAt = Math.max(at, notBefore(client));
  return {
    refreshToken,
    record: {
      tokenHash: hashToken(refreshToken),
      family: from.family,
      clientId: client.clientId,
      scopes: from.scopes,
      issuedAt: new Date(issuedAt).toISOString(),
      expiresAt: new Date(issuedAt + REFRESH_TOKEN_SECONDS * 1000).toISOString(),
    },
  };
}
