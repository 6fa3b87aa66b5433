import type { Declared } from '../../wire/operations/operations.ts';
import { tokensView } from '../../wire/token.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const tokenHandlers = ({ tokens }: HttpDeps): Handlers<Pick<Declared, 'obtainToken' | 'refreshToken'>> => ({
  obtainToken: async ({ body: { clientId, clientSecret, scope }, ip }) =>
    tokensView(await tokens.issue({ clientId, clientSecret, address: ip, scopes: scopeNames(scope) })),

  refreshToken: async ({ body: { refreshToken }, ip }) =>
    tokensView(await tokens.refresh({ refreshToken, address: ip })),
});

/** Splits a list of scopes at spaces. An empty result requests all scopes of the client. */
export const scopeNames = (scope = ''): readonly string[] => scope.split(' ').filter((name) => name !== '');
