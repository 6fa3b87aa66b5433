import { createHash } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ENDPOINTS } from '../../wire/endpoints.ts';

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
