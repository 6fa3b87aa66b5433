import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { noQuery } from '../../wire/queries.ts';
import {
  type RefreshBody,
  refreshBody,
  TOKEN_REQUEST_BYTES,
  type TokenBody,
  tokenBody,
  tokensView,
} from '../../wire/token.ts';
import type { HttpDeps } from '../deps.ts';

export function addTokens(app: FastifyInstance, { tokens }: HttpDeps, onRequest: onRequestHookHandler): void {
  app.post<{ Body: TokenBody }>(
    '/api/auth/token',
    { bodyLimit: TOKEN_REQUEST_BYTES, onRequest, schema: { body: tokenBody, querystring: noQuery } },
    async ({ body: { clientId, clientSecret, scope }, ip }) =>
      tokensView(await tokens.issue({ clientId, clientSecret, address: ip, scopes: scopeNames(scope) })),
  );

  app.post<{ Body: RefreshBody }>(
    '/api/auth/refresh',
    { bodyLimit: TOKEN_REQUEST_BYTES, onRequest, schema: { body: refreshBody, querystring: noQuery } },
    async ({ body: { refreshToken }, ip }) => tokensView(await tokens.refresh({ refreshToken, address: ip })),
  );
}

/** None: all that the client holds. */
export const scopeNames = (scope = ''): readonly string[] => scope.split(' ').filter((name) => name !== '');
