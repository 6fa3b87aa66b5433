import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from '../../auth/lifetimes.ts';

/** The cookie of a request: its name, and whether browsers may send it over TLS only. */
export interface SessionCookie {
  readonly name: string;
  readonly isSecure: boolean;
}

/** Finds the cookie by the address at which browsers see the service. */
export type SessionCookieOf = (request: FastifyRequest) => SessionCookie;

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
