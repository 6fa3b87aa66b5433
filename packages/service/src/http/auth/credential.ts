import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { SESSION_HEADER } from '@telecine/contract/wire/endpoints.ts';
import type { FastifyRequest } from 'fastify';
import type { TokenOperations } from '../../auth/token-operations.ts';
import type { SessionOperations } from '../../auth/token-service.ts';
import { sessionCookieOf, sessionSecret } from './session-cookie.ts';

/** The credential of a request: an access token, or the session of a browser. */
export interface Credential {
  /** The text of the token, or the secret of the session. Empty if the request has neither. */
  readonly text: string;
  readonly isSession: boolean;
  /** Finds the caller. Throws or rejects with a `Problem`, such as INVALID_TOKEN. */
  verify(): Caller | Promise<Caller>;
}

export type ReadCredential = (request: FastifyRequest) => Credential;

/**
 * Reads tokens and sessions. If a request has both, uses the token, so that a page can act for another client. Throws
 * NOT_SAME_ORIGIN for a session if a page of another site sent the request.
 */
export function credentials(deps: {
  readonly tokens: Pick<TokenOperations, 'verify'>;
  readonly sessions: Pick<SessionOperations, 'verify'>;
  readonly publicUrl?: string | undefined;
}): ReadCredential {
  const { sessions, publicUrl } = deps;
  const cookieOf = sessionCookieOf(publicUrl);
  const readToken = tokensOnly(deps.tokens);
  return (request) => {
    const secret = request.headers.authorization === undefined ? sessionSecret(request, cookieOf) : undefined;
    if (secret === undefined) return readToken(request);
    checkSameOrigin(request, publicUrl);
    return { text: secret, isSession: true, verify: () => sessions.verify(secret) };
  };
}

export const tokensOnly =
  (tokens: Pick<TokenOperations, 'verify'>): ReadCredential =>
  ({ headers: { authorization } }) => {
    const token = bearerToken(authorization);
    return { text: token ?? '', isSession: false, verify: () => tokens.verify(token) };
  };

/** Accepts only sessions. Throws INVALID_TOKEN if the request has a token, or no session. */
export const sessionsOnly =
  (read: ReadCredential): ReadCredential =>
  (request) => {
    const credential = read(request);
    if (!credential.isSession)
      throw new Problem('INVALID_TOKEN', 'No one is signed in. Sign in with POST /api/session.');
    return credential;
  };

/**
 * Reads the token in an `Authorization` header. Returns undefined if the header is missing or its scheme is not Bearer.
 */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim();
}

/** The methods that change nothing. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws NOT_SAME_ORIGIN unless a page of this service sent the request. Decides by `Sec-Fetch-Site` or, over plain
 * HTTP, where browsers do not send this field, by the origin of the page. A request that changes something must also
 * have the field `SESSION_HEADER`: CORS never lets pages of other sites send it.
 */
export function checkSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined ? originOf(request) === ownOrigin(request, publicUrl) : site === 'same-origin';
  if (!isOwn)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      'Only pages of this service can use a session. Send an access token from POST /api/auth/token instead.',
    );
  if (!SAFE_METHODS.has(request.method) && request.headers[SESSION_HEADER] === undefined)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      `With a session, ${request.method} needs the header field "${SESSION_HEADER}: 1".`,
    );
}

/**
 * Returns the origin of the page that sent the request. With most GET requests, browsers send `Referer` but no
 * `Origin`.
 */
const originOf = ({ headers: { origin, referer } }: FastifyRequest): string | undefined =>
  origin ?? (referer === undefined ? undefined : URL.parse(referer)?.origin);

/** Returns the origin of this service. '': the host in the header field is invalid. */
const ownOrigin = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string =>
  URL.parse(publicUrl ?? `${protocol}://${host}`)?.origin ?? '';
