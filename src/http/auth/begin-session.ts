import type { FastifyReply, FastifyRequest } from 'fastify';
import type { StartedSession } from '../../auth/sessions.ts';
import type { SessionOperations } from '../../auth/token-service.ts';
import { type SessionCookieOf, sessionSecret, setSessionCookie } from './session-cookie.ts';

/** Gives a browser the cookie of a started session. The session of the cookie that it replaces ends: nobody could end it any more. */
export async function beginSession(
  sessions: Pick<SessionOperations, 'end'>,
  cookieOf: SessionCookieOf,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { secret }: Pick<StartedSession, 'secret'>,
): Promise<void> {
  const before = sessionSecret(request, cookieOf);
  if (before !== undefined) await sessions.end(before);
  setSessionCookie(request, reply, cookieOf, secret);
}
