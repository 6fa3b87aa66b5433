import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../wire/endpoints.ts';

/** The lifetime of the cookie in seconds: how long a person may take to log in at the issuer. */
const MAX_AGE_SECONDS = 600;

/**
 * The cookie that a browser keeps while a person logs in at the issuer. It is Lax, because the issuer, which is another site, sends the
 * browser back; it goes to that one path only. With the prefix, no page without TLS can set it.
 */
export function signInCookie(publicUrl: string) {
  const { protocol, port, pathname } = new URL(publicUrl + ENDPOINTS.finishExternalSession.path);
  const secure = protocol === 'https:';
  const name = `${secure ? '__Secure-telecine' : 'telecine'}-sign-in${port === '' ? '' : `-${port}`}`;
  return {
    read: ({ headers: { cookie } }: FastifyRequest): string | undefined =>
      cookie === undefined ? undefined : parseCookie(cookie)[name],
    /** With undefined, deletes it. */
    set: (reply: FastifyReply, ticket: string | undefined): void => {
      const maxAge = ticket === undefined ? 0 : MAX_AGE_SECONDS;
      const options = { maxAge, path: pathname, httpOnly: true, sameSite: 'lax', secure } as const;
      reply.header('set-cookie', stringifySetCookie({ name, value: ticket ?? '', ...options }));
    },
  };
}
