import type { FastifyRequest } from 'fastify';
import type { TokenOperations } from '../../auth/token-operations.ts';
import type { SessionOperations } from '../../auth/token-service.ts';
import type { Caller } from '../../domain/client.ts';
import { Problem } from '../../domain/problem.ts';
import { checkSameOrigin } from './same-origin.ts';
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
