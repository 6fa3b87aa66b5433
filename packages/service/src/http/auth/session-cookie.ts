import { createHash } from 'node:crypto';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SignInPerson } from '../../auth/external-sign-in.ts';
import { SESSION_SECONDS } from '../../auth/lifetimes.ts';
import type { StartedSession } from '../../auth/sessions.ts';
import type { SessionOperations } from '../../auth/token-service.ts';

type SessionCookieOf = ReturnType<typeof sessionCookieOf>;

/**
 * Returns a function that finds the name of the session cookie for a request, and whether browsers may send it only
 * over TLS. With the prefix `__Host-`, no other host of the domain can set the cookie. The name contains the port,
 * because browsers send cookies to all ports of a host.
 *
 * Without `publicUrl`, the service does not notice TLS at a proxy that it does not trust.
 */
export const sessionCookieOf =
  (publicUrl: string | undefined) =>
  ({ protocol, host }: FastifyRequest): { readonly name: string; readonly isSecure: boolean } => {
    // The URL may be invalid, because the host comes from a header field.
    const address = URL.parse(publicUrl ?? `${protocol}://${host}`);
    const isSecure = (address?.protocol ?? `${protocol}:`) === 'https:';
    const port = address?.port ? `-${address.port}` : '';
    return { name: `${isSecure ? '__Host-telecine' : 'telecine'}${port}`, isSecure };
  };

/** Reads the secret of the session from the cookies of a request. undefined: there is no session cookie. */
export function sessionSecret(request: FastifyRequest, cookieOf: SessionCookieOf): string | undefined {
  const { cookie } = request.headers;
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieOf(request).name];
}

/** Sets the session cookie. `secret` undefined: deletes it. */
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

/**
 * Sets the cookie of a new session. If it replaces another cookie, ends the session of that cookie, because nobody
 * could end it later.
 */
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

/** How long a person may take to sign in at the issuer, in seconds. */
const MAX_AGE_SECONDS = 600;

/**
 * Reads and sets the cookies of a browser during sign-ins at the issuer. Each sign-in has its own cookie, because a
 * person can begin two sign-ins in two tabs. The cookies are Lax, because another site (the issuer) sends the browser
 * back. With the prefix `__Host-`, no other host of the domain can set them: with the ticket of its own sign-in there,
 * it could sign the browser in as its own client. Without TLS, there is no such protection, and the cookies are only
 * for the path of the callback.
 */
export function signInCookie(publicUrl: string) {
  const { protocol, port, pathname } = new URL(publicUrl + ENDPOINTS.finishExternalSession.path);
  const secure = protocol === 'https:';
  const prefix = `${secure ? '__Host-telecine' : 'telecine'}-sign-in${port === '' ? '' : `-${port}`}`;
  const path = secure ? '/' : pathname;
  // Use only 4 names: a foreign page can begin any number of sign-ins, each request has their cookies, and its header
  // fields have a size limit.
  const nameOf = (state: string): string => `${prefix}-${(createHash('sha256').update(state).digest()[0] ?? 0) % 4}`;
  return {
    /**
     * Reads the ticket of the sign-in with this state. Two states can share a cookie name, so the ticket may be that of
     * another sign-in.
     */
    read: ({ headers: { cookie } }: FastifyRequest, state: string): string | undefined =>
      cookie === undefined ? undefined : parseCookie(cookie)[nameOf(state)],
    /** Sets the cookie of a sign-in. `ticket` undefined: deletes it. */
    set: (reply: FastifyReply, state: string, ticket: string | undefined): void => {
      const maxAge = ticket === undefined ? 0 : MAX_AGE_SECONDS;
      const options = { maxAge, path, httpOnly: true, sameSite: 'lax', secure } as const;
      reply.header('set-cookie', stringifySetCookie({ name: nameOf(state), value: ticket ?? '', ...options }));
    },
  };
}

/** How long the page to sign in has to read who is unknown, in seconds. */
const PERSON_SECONDS = 60;

/** The longest name or subject that the page shows, in bytes of JSON. Two of them in base64 are well below the 4,096 bytes of a cookie. */
const MAX_NAME_BYTES = 1000;

/** Returns the start of a name whose JSON has at most `MAX_NAME_BYTES`. Does not split a character. */
export function shortName(name: string): string {
  let [bytes, end] = [0, 0];
  for (const character of name) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes > MAX_NAME_BYTES) break;
    end += character.length;
  }
  return name.slice(0, end);
}

/**
 * Sets the cookie that tells the page to sign in whom the issuer knows and this service does not. It is a cookie and not a part
 * of the address, because a link must not be able to put words into the page. The page reads it, so it is not `HttpOnly`.
 */
export function setPersonCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  cookieOf: SessionCookieOf,
  { subject, name }: SignInPerson,
): void {
  const cookie = cookieOf(request);
  const person = { subject: shortName(subject), ...(name !== undefined && { name: shortName(name) }) };
  const value = Buffer.from(JSON.stringify(person)).toString('base64url');
  const options = { maxAge: PERSON_SECONDS, path: '/', sameSite: 'strict', secure: cookie.isSecure } as const;
  reply.header('set-cookie', stringifySetCookie({ name: `${cookie.name}-person`, value, ...options }));
}
