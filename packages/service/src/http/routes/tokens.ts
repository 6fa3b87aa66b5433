import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Declared } from '@telecine/contract/wire/operations/operations.ts';
import type { ISSUER_OPERATIONS } from '@telecine/contract/wire/operations/tokens.ts';
import { resourceMetadata } from '@telecine/contract/wire/protected-resource.ts';
import { GRANT_TYPES, type OAuthTokensView, oauthTokensView, tokensView } from '@telecine/contract/wire/token.ts';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AccessToken } from '../../auth/access-tokens.ts';
import type { AuditFacts } from '../audit/audit-request.ts';
import {
  acceptForms,
  FORM_EXAMPLE,
  notAForm,
  OAuthError,
  oauthClientOf,
  oauthErrorReply,
} from '../auth/oauth-requests.ts';
import type { HttpDeps } from '../deps.ts';
import { logInternalError, toProblem } from '../errors/problem-reply.ts';
import type { Handlers } from './handler.ts';

export const tokenHandlers = ({ tokens }: HttpDeps): Handlers<Pick<Declared, 'obtainToken' | 'refreshToken'>> => ({
  obtainToken: async (request) => {
    const { clientId, clientSecret, scope } = request.body;
    request.auditFacts = { namedClient: clientId };
    const login = { clientId, clientSecret, address: request.callerAddress };
    const pair = await tokens.issue({ ...login, scopes: scopeNames(scope) });
    request.auditFacts = tokenFacts(pair);
    return tokensView(pair);
  },

  refreshToken: async (request) => {
    const { refreshToken } = request.body;
    const pair = await tokens.refresh({ refreshToken, address: request.callerAddress });
    request.auditFacts = tokenFacts(pair);
    return tokensView(pair);
  },
});

/** Returns what the audit log says about an issued token. */
const tokenFacts = ({ clientId, scope }: AccessToken): AuditFacts => ({ clientId, details: { scope } });

/** Reads the scopes in a text. None: all scopes of the client are requested. */
const scopeNames = (scope = ''): readonly string[] => scope.split(' ').filter((name) => name !== '');

/** Lets the routes of `scope` accept forms, with errors as OAuth defines them (RFC 6749). */
export function acceptOAuthRequests(scope: FastifyInstance, { logger }: Pick<HttpDeps, 'logger'>): void {
  acceptForms(scope);
  scope.setErrorHandler((error, request, reply): FastifyReply => {
    if (error instanceof OAuthError) return reply.send(oauthErrorReply(reply, error));
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    logInternalError(logger, request, problem);
    return reply.send(oauthErrorReply(reply, problem.code === 'UNSUPPORTED_MEDIA_TYPE' ? notAForm() : problem));
  });
}

/** Handles the token endpoint of OAuth 2.0. It issues the same tokens as `/api/auth`. */
export const oauthHandlers = ({ tokens }: HttpDeps): Handlers<Pick<Declared, 'oauthToken'>> => ({
  oauthToken: async (request) => {
    // The schema does not validate this form, because OAuth has errors of its own for missing parameters.
    const form: Partial<typeof request.body> = request.body ?? {};
    const { grant_type: grant, refresh_token: refreshToken, scope } = form;
    const client = oauthClientOf(request, form);
    const common = { address: request.callerAddress, scopes: scopeNames(scope) };
    const action = grant === 'refresh_token' ? 'token.refresh' : 'token.issue';
    request.auditFacts = { action, ...(client && { namedClient: client.clientId }) };
    const reply = <Issued extends AccessToken>(issued: Issued): OAuthTokensView => {
      request.auditFacts = { ...tokenFacts(issued), action };
      return oauthTokensView(issued);
    };
    switch (grant) {
      case 'client_credentials':
        if (client === undefined)
          throw new OAuthError(
            'invalid_client',
            'The credentials are missing. Send HTTP Basic, or client_id and client_secret.',
          );
        return reply(await tokens.clientCredentials({ ...client, ...common }));
      case 'refresh_token':
        if (refreshToken === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.');
        return reply(await tokens.refresh({ refreshToken, ...common, ...(client && { client }) }));
      case undefined:
        throw new OAuthError('invalid_request', `grant_type is missing. Send a form such as ${FORM_EXAMPLE}.`);
      default:
        throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
    }
  },
});

/**
 * Handles the metadata about an external issuer. These routes exist only if there is an issuer: clients that find this
 * metadata ask the issuer for a token, even if they have one of this service.
 */
export const issuerHandlers = ({ oauth }: HttpDeps): Handlers<typeof ISSUER_OPERATIONS> => {
  const metadata = async (path: '' | '/mcp') => {
    if (oauth === undefined) throw new Problem('NOT_FOUND', 'The service accepts no tokens of an external issuer.');
    return resourceMetadata(oauth, path);
  };
  return { getProtectedResource: () => metadata(''), getMcpProtectedResource: () => metadata('/mcp') };
};
