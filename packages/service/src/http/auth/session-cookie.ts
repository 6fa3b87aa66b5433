import { createHash } from 'node:crypto';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from '../../auth/lifetimes.ts';
import type { StartedSession } from '../../auth/sessions.ts';
import type { SessionOperations } from '../../auth/token-service.ts';

type SessionCookieOf = ReturnType<typeof sessionCookieOf>;

/**
 * Returns a function that finds the name of the session cookie of a request, and whether browsers may send the cookie over TLS only.
 * With the prefix `__Host-`, no other host of the domain can set the cookie. The port is in the name, because browsers send cookies to
 * all ports of a host. Without `publicUrl`, the service cannot see the TLS of an untrusted proxy.
 */
export const sessionCookieOf =
  (publicUrl: string | undefined) =>
  ({ protocol, host }: FastifyRequest): { readonly name: string; readonly isSecure: boolean } => {
    // The host is a header field, which can be invalid.
    const address = URL.parse(publicUrl ?? `${protocol}://${host}`);
    const isSecure = (address?.protocol ?? `${protocol}:`) === 'https:';
    const port = address?.port ? `-${address.port}` : '';
    return { name: `${isSecure ? '__Host-telecine' : 'telecine'}${port}`, isSecure };
  };

/** The secret of the session in the cookies of a request, or undefined. */
export function sessionSecret(request: FastifyRequest, cookieOf: SessionCookieOf): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieOf(request).name];
}

/** Sets the cookie of a started session; with undefined, deletes it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookieOf: SessionCookieOf,
  secret: string | undefined,
): void {
  const { name, isSecure } = cookieOf(request);
  const cookie = stringifySetCookie({
    name,
    value: secret ?? '',
    maxAge: secret === undefined ? 0 : SESSION_SECONDS,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  });
  reply.header('set-cookie', cookie);
}

/** Sets the cookie of a started session. Ends the session of the replaced cookie, which nobody could end later. */
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

/** The time for a login at the issuer. */
const MAX_AGE_SECONDS = 600;

/**
 * The cookies of a browser during logins at the issuer, one for each sign-in, because two tabs can begin one. They are Lax, because the
 * issuer, another site, sends the browser back. With the prefix, no page without TLS can set them.
 */
export function signInCookie(publicUrl: string) {
  const { protocol, port, pathname } = new URL(publicUrl + ENDPOINTS.finishExternalSession.path);
  const secure = protocol === 'https:';
  const prefix = `${secure ? '__Secure-telecine' : 'telecine'}-sign-in${port === '' ? '' : `-${port}`}`;
  // At most 8, because a foreign page can begin any number of sign-ins, and the header of a request has a limit.
  const nameOf = (state: string): string => `${prefix}-${(createHash('sha256').update(state).digest()[0] ?? 0) % 8}`;
  return {
    /** The ticket for this state. It may belong to another sign-in. */
    read: ({ headers: { cookie } }: FastifyRequest, state: string): string | undefined =>
      cookie === undefined ? undefined : parseCookie(cookie)[nameOf(state)],
    /** With undefined, deletes it. */
    set: (reply: FastifyReply, state: string, ticket: string | undefined): void => {
      const maxAge = ticket === undefined ? 0 : MAX_AGE_SECONDS;
      const options = { maxAge, path: pathname, httpOnly: true, sameSite: 'lax', secure } as const;
      reply.header('set-cookie', stringifySetCookie({ name: nameOf(state), value: ticket ?? '', ...options }));
    },
  };
}
