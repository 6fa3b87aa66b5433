import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { GRANT_TYPES, type OAuthTokensView, oauthTokensView } from '../../wire/oauth.ts';
import { TOKEN_REQUEST_BYTES } from '../../wire/token.ts';
import type { HttpDeps } from '../deps.ts';
import { OAuthError, oauthErrorReply } from '../oauth-error.ts';
import { clientOf, type OAuthForm, takeForm } from '../oauth-form.ts';
import { isFault, toProblem } from '../to-problem.ts';
import { scopeNames } from './tokens.ts';

/** The token endpoint that OAuth 2.0 clients know (RFC 6749), over the same tokens as `/api/auth`. */
export function addOAuth(app: FastifyInstance, { tokens, logger }: HttpDeps, onRequest: onRequestHookHandler): void {
  app.register(async (scope) => {
    takeForm(scope);
    scope.setErrorHandler((error, request, reply): FastifyReply => {
      if (error instanceof OAuthError) return reply.send(oauthErrorReply(reply, error));
      const problem = toProblem(error, request.routeOptions.bodyLimit);
      if (isFault(problem))
        logger.error({ requestId: request.id, code: problem.code, err: problem.cause ?? problem }, 'request failed');
      return reply.send(oauthErrorReply(reply, problem));
    });

    scope.post<{ Body: OAuthForm | undefined }>(
      '/oauth/token',
      { bodyLimit: TOKEN_REQUEST_BYTES, onRequest },
      async (request): Promise<OAuthTokensView> => {
        const form = request.body ?? {};
        const {
          grant_type: grant,
          refresh_token: refreshToken,
          scope: asked,
        } = form as Partial<Record<string, string>>;
        const client = clientOf(request, form);
        const common = { address: request.ip, scopes: scopeNames(asked) };
        switch (grant) {
          case 'client_credentials':
            if (client === undefined)
              throw new OAuthError('invalid_client', 'Send HTTP Basic, or client_id and client_secret.');
            return oauthTokensView(await tokens.clientCredentials({ ...client, ...common }));
          case 'refresh_token':
            if (refreshToken === undefined) throw new OAuthError('invalid_request', 'refresh_token is missing.');
            return oauthTokensView(
              await tokens.refresh({ refreshToken, ...common, ...(client === undefined ? {} : { client }) }),
            );
          case undefined:
            throw new OAuthError('invalid_request', `grant_type is missing; it is one of ${GRANT_TYPES.join(', ')}.`);
          default:
            throw new OAuthError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
        }
      },
    );
  });
}
