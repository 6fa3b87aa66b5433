import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { OAuthError } from './oauth-error.ts';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The form of a token request, as an example for messages. */
export const FORM_EXAMPLE = 'grant_type=client_credentials&client_id=ID&client_secret=SECRET';

/**
 * The problem for a body that is not a form. Its text contains no quotes, which OAuth does not allow in descriptions.
 */
export const notAForm = (): Problem =>
  new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body is not a form. Send Content-Type: ${FORM_TYPE} and a body such as ${FORM_EXAMPLE}. POST /api/auth/token takes JSON.`,
  );

/** Parses `application/x-www-form-urlencoded` bodies only. Ignores empty parameters (RFC 6749, 3.2). */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(FORM_TYPE, { parseAs: 'string' }, (_request, body: string, done) => {
    const form: Record<string, string> = Object.create(null);
    for (const [name, value] of new URLSearchParams(body)) {
      if (Object.hasOwn(form, name)) {
        done(new OAuthError('invalid_request', `The parameter ${name} is repeated. Send it once.`), undefined);
        return;
      }
      if (value !== '') form[name] = value;
    }
    done(null, form);
  });
}

/** The credentials of an OAuth client (RFC 6749, 2.3.1). */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Reads the client's credentials from HTTP Basic or from the form. Returns undefined if the request has none. Throws
 * `OAuthError` if they are incomplete, malformed or repeated.
 */
export function oauthClientOf(
  { headers: { authorization } }: FastifyRequest,
  {
    client_id: clientId,
    client_secret: clientSecret,
  }: { readonly client_id?: string | undefined; readonly client_secret?: string | undefined },
): OAuthClient | undefined {
  if (authorization === undefined) {
    if (clientId === undefined && clientSecret === undefined) return undefined;
    if (clientId === undefined || clientSecret === undefined)
      throw new OAuthError('invalid_client', 'Send both client_id and client_secret, or HTTP Basic.');
    return { clientId, clientSecret };
  }
  const basic = basicCredentials(authorization);
  if (basic === undefined)
    throw new OAuthError('invalid_client', 'The Authorization header has no HTTP Basic credentials.');
  if (clientSecret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
    throw new OAuthError(
      'invalid_request',
      'The credentials are repeated. Send HTTP Basic or client_secret, not both.',
    );
  return basic;
}

/** Reads HTTP Basic credentials. Returns undefined if the header has another scheme or is malformed. */
function basicCredentials(header: string): OAuthClient | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  try {
    return { clientId: formDecode(text.slice(0, colon)), clientSecret: formDecode(text.slice(colon + 1)) };
  } catch {
    return undefined;
  }
}

/**
 * Decodes the id or the secret, which OAuth clients form-encode before they join the two (RFC 6749, 2.3.1). Throws
 * URIError if the encoding is malformed.
 */
const formDecode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
