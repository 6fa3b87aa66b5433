import type { ClientCache } from '../clients/client-cache.ts';
import type { TokenSource } from '../token-source.ts';
import { readAccessToken, type TokenIssuer } from './access-token.ts';
import { invalidToken } from './invalid-token.ts';

/** Access tokens of this service. Their subject is the client id. */
export function ownTokens(issuer: TokenIssuer, clients: ClientCache): TokenSource {
  return {
    async read(token) {
      const { clientId, scopes, issuedAt, expiresAt } = await readAccessToken(issuer, token);
      return { subject: clientId, scopes, issuedAt: issuedAt * 1000, validUntil: expiresAt * 1000 };
    },
    clients,
    rejection: () => invalidToken('revoked'),
  };
}
