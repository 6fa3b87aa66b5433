import { Problem } from '@telecine/contract/domain/problem.ts';
import { PROBLEMS } from '@telecine/contract/wire/problem.ts';
import type { OAUTH_ERRORS, OAuthErrorView } from '@telecine/contract/wire/token.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** An example of a token request's body, for messages. */
export const FORM_EXAMPLE = 'grant_type=client_credentials&client_id=ID&client_secret=SECRET';

/**
 * The problem for a body that is not a form. Its text contains no quotes, because OAuth does not allow them in
 * descriptions.
 */
export const notAForm = (): Problem =>
  new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    `The body is not a form. Send Content-Type: ${FORM_TYPE} and a body such as ${FORM_EXAMPLE}. POST /api/auth/token takes JSON.`,
  );

/** Accepts only bodies of the type `application/x-www-form-urlencoded`. Ignores empty parameters (RFC 6749, 3.2). */
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

/** The id and the secret of an OAuth client (RFC 6749, 2.3.1). */
interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Reads the id and the secret of the client from HTTP Basic or from the form. Throws `OAuthError` if they are
 * incomplete, malformed or sent twice.
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
 * Decodes an id or a secret from HTTP Basic: OAuth clients encode both like a form (RFC 6749, 2.3.1). Throws URIError.
 */
const formDecode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));

type OAuthErrorCode = (typeof OAUTH_ERRORS)[number];

/** An error with an OAuth error code. (The code for a `Problem` is chosen by `oauthErrorReply`.) */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, description: string) {
    super(description);
    this.code = code;
  }
}

function fromProblem(problem: Problem): { status: number; error: OAuthErrorCode } {
  const { status } = PROBLEMS[problem.code];
  switch (problem.code) {
    case 'INVALID_CLIENT':
      return { status, error: 'invalid_client' };
    case 'INVALID_TOKEN':
      return { status: 400, error: 'invalid_grant' };
    case 'INSUFFICIENT_SCOPE':
      return { status: 400, error: 'invalid_scope' };
    case 'INVALID_REQUEST':
      return { status, error: problem.errors.some((e) => e.field === '/scope') ? 'invalid_scope' : 'invalid_request' };
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return { status, error: 'temporarily_unavailable' };
    case 'INTERNAL':
      return { status, error: 'server_error' };
    default:
      return { status, error: 'invalid_request' };
  }
}

/** Replaces characters that RFC 6749 (5.2) does not allow in a description. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, "'");

/** Sets the status and the header fields of an OAuth error, and returns its body (RFC 6749, 5.2). */
export function oauthErrorReply(reply: FastifyReply, cause: OAuthError | Problem): OAuthErrorView {
  const { status, error } =
    cause instanceof Problem
      ? fromProblem(cause)
      : { status: cause.code === 'invalid_client' ? 401 : 400, error: cause.code };
  if (status === 401) reply.header('www-authenticate', 'Basic realm="telecine", charset="UTF-8"');
  if (cause instanceof Problem && cause.retryAfterSeconds !== undefined)
    reply.header('retry-after', cause.retryAfterSeconds);
  reply.request.problemCode = error;
  reply.code(status).type('application/json; charset=utf-8');
  return { error, error_description: printable(cause.message) };
}
