import type { FastifyRequest } from 'fastify';
import type { TokenOperations } from '../../auth/token-operations.ts';
import type { SessionOperations } from '../../auth/token-service.ts';
import type { Caller } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import { SESSION_HEADER } from '../../wire/endpoints.ts';
import { sessionCookieOf, sessionSecret } from './session-cookie.ts';

/** What a request proves its client with: an access token, or the session of a browser. */
export interface Credential {
  /** The text of the token, or the secret of the session. Empty if the request has none. */
  readonly text: string;
  readonly isSession: boolean;
  /** Finds the caller. Throws or rejects with a `Problem`, for example INVALID_TOKEN. */
  verify(): Caller | Promise<Caller>;
}

/** Reads the credential of a request. */
export type ReadCredential = (request: FastifyRequest) => Credential;

/**
 * A token wins over a session, so that a page can also act for another client. Throws NOT_SAME_ORIGIN for a session in a request
 * that no page of this service sent.
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

/** Accepts only tokens. */
export const tokensOnly =
  (tokens: Pick<TokenOperations, 'verify'>): ReadCredential =>
  ({ headers: { authorization } }) => {
    const token = bearerToken(authorization);
    return { text: token ?? '', isSession: false, verify: () => tokens.verify(token) };
  };

/** Accepts only sessions. Throws INVALID_TOKEN if the request has a token, or neither. */
export const sessionsOnly =
  (read: ReadCredential): ReadCredential =>
  (request) => {
    const credential = read(request);
    if (!credential.isSession)
      throw new Problem('INVALID_TOKEN', 'No one is signed in. Sign in with POST /api/session.');
    return credential;
  };

/** The token in an `Authorization` header. Returns undefined without a header, or if its scheme is not Bearer. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined || header.length < 8 || header.slice(0, 7).toLowerCase() !== 'bearer ') return undefined;
  return header.slice(7).trim();
}

/** The methods with which a page can only read. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws NOT_SAME_ORIGIN unless a page of this service sent the request: by `Sec-Fetch-Site`, or, where browsers do not send it
 * (over plain HTTP from another machine), by the origin that they name. Pages of other origins can forge none of these. Requests
 * that change something also need `SESSION_HEADER`, which a page of another origin can send only if CORS allows it, and CORS
 * never does.
 */
export function checkSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined ? originOf(request) === ownOrigin(request, publicUrl) : site === 'same-origin';
  if (!isOwn)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      'A session counts only in requests of pages of this service. Programs send an access token of POST /api/auth/token.',
    );
  if (!SAFE_METHODS.has(request.method) && request.headers[SESSION_HEADER] === undefined)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      `With a session, ${request.method} needs the header field "${SESSION_HEADER}: 1".`,
    );
}

/** The origin of the page that sent the request. Browsers send `Origin` with few GET requests of the same origin, but `Referer`. */
function originOf({ headers: { origin, referer } }: FastifyRequest): string | undefined {
  if (origin !== undefined || referer === undefined) return origin;
  return URL.canParse(referer) ? new URL(referer).origin : undefined;
}

const ownOrigin = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string => {
  const address = publicUrl ?? `${protocol}://${host}`;
  // The host is a header field, which can contain anything.
  return URL.canParse(address) ? new URL(address).origin : '';
};
