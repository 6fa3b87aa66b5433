import type { AccessToken } from '../../auth/access-tokens.ts';
import type { Declared } from '../../wire/operations/operations.ts';
import { tokensView } from '../../wire/token.ts';
import type { AuditFacts } from '../audit/audit-request.ts';
import type { HttpDeps } from '../deps.ts';
import type { Handlers } from './handler.ts';

export const tokenHandlers = ({ tokens }: HttpDeps): Handlers<Pick<Declared, 'obtainToken' | 'refreshToken'>> => ({
  obtainToken: async (request) => {
    const { clientId, clientSecret, scope } = request.body;
    request.auditFacts = { namedClient: clientId };
    const pair = await tokens.issue({
      clientId,
      clientSecret,
      address: request.callerAddress,
      scopes: scopeNames(scope),
    });
    request.auditFacts = tokenFacts(pair);
    return tokensView(pair);
  },

  refreshToken: async (request) => {
    const pair = await tokens.refresh({
      refreshToken: request.body.refreshToken,
      address: request.callerAddress,
    });
    request.auditFacts = tokenFacts(pair);
    return tokensView(pair);
  },
});

/** What the audit log records of issued tokens. */
export const tokenFacts = ({ clientId, scope }: AccessToken): AuditFacts => ({ clientId, details: { scope } });

/** Splits a list of scopes at spaces. An empty result requests all scopes of the client. */
export const scopeNames = (scope = ''): readonly string[] => scope.split(' ').filter((name) => name !== '');
