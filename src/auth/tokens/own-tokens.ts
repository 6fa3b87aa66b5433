import { createClientCache } from '../clients/client-cache.ts';
import type { ClientStore } from '../ports.ts';
import type { TokenSource } from '../token-source.ts';
import { readAccessToken, type TokenIssuer } from './access-token.ts';
import { invalidToken } from './invalid-token.ts';

/** The tokens that this service signs; their subject is the client's id. */
export function ownTokens(issuer: TokenIssuer, clients: ClientStore): TokenSource {
  return {
    async read(token) {
      const { clientId, scopes, issuedAt, expiresAt } = await readAccessToken(issuer, token);
      return { subject: clientId, scopes, issuedAt, goodUntil: expiresAt * 1000 };
    },
    standings: createClientCache((clientId) => clients.get(clientId), issuer.now),
    refused: () => invalidToken('revoked'),
  };
}
