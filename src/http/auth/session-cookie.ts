import { createHash } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from '../../auth/lifetimes.ts';
import type { StartedSession } from '../../auth/sessions.ts';
import type { SessionOperations } from '../../auth/token-service.ts';
import { ENDPOINTS } from '../../wire/endpoints.ts';

/** The cookie of a request: its name, and whether browsers may send it over TLS only. */
interface SessionCookie {
  readonly name: string;
  readonly isSecure: boolean;
}

/** Finds the cookie by the address at which browsers see the service. */
type SessionCookieOf = (request: FastifyRequest) => SessionCookie;

/**
 * Browsers accept the prefix `__Host-` only from a secure origin, so no other host of the domain can set the cookie. They send cookies
 * to all ports of a host, so the port is in the name: otherwise two services on one host would sign each other's people out.
 * `publicUrl` decides if it is set: the service cannot see the TLS of a proxy that it does not trust.
 */
export const sessionCookieOf =
  (publicUrl: string | undefined): SessionCookieOf =>
  ({ protocol, host }) => {
    const text = publicUrl ?? `${protocol}://${host}`;
    // The host is a header field, which can contain anything.
    const address = URL.canParse(text) ? new URL(text) : undefined;
    const isSecure = (address?.protocol ?? `${protocol}:`) === 'https:';
    const port = address === undefined || address.port === '' ? '' : `-${address.port}`;
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

/** The lifetime of a cookie in seconds: how long a person may take to log in at the issuer. */
const MAX_AGE_SECONDS = 600;

/**
 * The cookies that a browser keeps while a person logs in at the issuer, one for each sign-in, because two tabs may have begun one.
 * They are Lax, because the issuer, which is another site, sends the browser back; they go to that one path only. With the prefix, no
 * page without TLS can set them.
 */
export function signInCookie(publicUrl: string) {
  const { protocol, port, pathname } = new URL(publicUrl + ENDPOINTS.finishExternalSession.path);
  const secure = protocol === 'https:';
  const prefix = `${secure ? '__Secure-telecine' : 'telecine'}-sign-in${port === '' ? '' : `-${port}`}`;
  // At most 8: a page of another site can begin any number of sign-ins, and no more tickets fit into the header of a request.
  const nameOf = (state: string): string => `${prefix}-${(createHash('sha256').update(state).digest()[0] ?? 0) % 8}`;
  return {
    /** The ticket of the sign-in with this state. It may be that of another one. */
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
