import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OAuthClient, readBasic } from './oauth-client.ts';
import { OAuthError } from './oauth-error.ts';

/** The members of an OAuth token request that the service reads; an empty one counts as left out (RFC 6749, 3.2). */
export type OAuthForm = Readonly<Record<string, string>>;

/** Takes `application/x-www-form-urlencoded` and nothing else. */
export function takeForm(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body: string, done) => {
      const form: Record<string, string> = Object.create(null);
      for (const [name, value] of new URLSearchParams(body)) {
        if (Object.hasOwn(form, name)) {
          done(new OAuthError('invalid_request', `The parameter ${name} is there twice.`), undefined);
          return;
        }
        if (value !== '') form[name] = value;
      }
      done(null, form);
    },
  );
}

/** The client's credentials, from HTTP Basic or from the form; undefined where neither has any. */
export function clientOf(request: FastifyRequest, form: OAuthForm): OAuthClient | undefined {
  const { authorization } = request.headers;
  const { client_id: clientId, client_secret: clientSecret } = form as { client_id?: string; client_secret?: string };
  if (authorization === undefined) {
    if (clientId === undefined && clientSecret === undefined) return undefined;
    if (clientId === undefined || clientSecret === undefined)
      throw new OAuthError('invalid_client', 'Send client_id and client_secret both, or HTTP Basic.');
    return { clientId, clientSecret };
  }
  const basic = readBasic(authorization);
  if (basic === undefined)
    throw new OAuthError('invalid_client', 'The Authorization header holds no HTTP Basic credentials.');
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw new OAuthError('invalid_request', 'Credentials are there twice: send HTTP Basic or client_secret, not both.');
  return basic;
}
