import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../wire/queries.ts';
import { type RefreshBody, refreshBody, type TokenBody, tokenBody, tokensView } from '../../wire/token.ts';
import type { HttpDeps } from '../deps.ts';

export function addTokens(app: FastifyInstance, { tokens }: HttpDeps): void {
  app.post<{ Body: TokenBody }>(
    '/api/auth/token',
    { schema: { body: tokenBody, querystring: noQuery } },
    async ({ body: { clientId, clientSecret, scope }, ip }) =>
      tokensView(await tokens.issue({ clientId, clientSecret, address: ip, scopes: scopeNames(scope) })),
  );

  app.post<{ Body: RefreshBody }>(
    '/api/auth/refresh',
    { schema: { body: refreshBody, querystring: noQuery } },
    async ({ body: { refreshToken }, ip }) => tokensView(await tokens.refresh({ refreshToken, address: ip })),
  );
}

/** None: all that the client holds. */
export const scopeNames = (scope = ''): readonly string[] => scope.split(' ').filter((name) => name !== '');
