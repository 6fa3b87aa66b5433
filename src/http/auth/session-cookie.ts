import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_SECONDS } from '../../auth/token-ttl.ts';

/**
 * The name of the cookie by whether it is Secure. Browsers accept the prefix `__Host-` only from a secure origin, so no other
 * host of the domain can set the cookie.
 */
const nameOf = (isSecure: boolean): string => (isSecure ? '__Host-telecine' : 'telecine');

/** Where a session was started: at an address with TLS or without. */
export type IsSecure = (request: FastifyRequest) => boolean;

/** `publicUrl` decides if it is set: the service cannot see the TLS of a proxy that it does not trust. */
export const secureBy =
  (publicUrl: string | undefined): IsSecure =>
  (request) =>
    publicUrl === undefined ? request.protocol === 'https' : publicUrl.startsWith('https:');

/** The secret of the session in the cookies of a request, or undefined. */
export function sessionSecret(request: FastifyRequest, isSecure: IsSecure): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[nameOf(isSecure(request))];
}

/** Sets the cookie of a started session; with undefined, deletes it. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  isSecure: IsSecure,
  secret: string | undefined,
): void {
  const secure = isSecure(request);
  const cookie = stringifySetCookie({
    name: nameOf(secure),
    value: secret ?? '',
    maxAge: secret === undefined ? 0 : SESSION_SECONDS,
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure,
  });
  reply.header('set-cookie', cookie);
}
