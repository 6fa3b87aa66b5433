import { sessionBody, sessionCodeBody, sessionSchema } from '../session.ts';
import { TOKEN_REQUEST_BYTES } from '../token.ts';
import { setCookie } from './headers.ts';
import { jsonReply, type Operations, PUBLIC } from './operation.ts';

const EXAMPLE = { clientId: 'admin', scopes: ['admin'], expiresAt: '2026-11-20T22:00:00.000Z' };

/** How a page of the service signs in. Programs use tokens. */
export const SESSION_OPERATIONS = {
  startSession: {
    tag: 'Tokens',
    summary: 'Sign in as a page of this service',
    description:
      'For the pages of the service itself: starts a session of 12 hours in an HttpOnly cookie. Requests with it must come ' +
      'from the same origin, and need `X-Telecine-Session: 1` if they change something. Other programs use tokens.',
    access: PUBLIC,
    audit: { action: 'session.start', target: 'handler' },
    body: {
      type: 'application/json',
      schema: sessionBody,
      example: { clientId: 'admin', clientSecret: 'the-secret' },
      maxBytes: TOKEN_REQUEST_BYTES,
    },
    limit: 'failed tokens',
    replies: { 200: jsonReply('The session.', sessionSchema, EXAMPLE, setCookie) },
    problems: ['INVALID_CLIENT', 'NOT_SAME_ORIGIN'],
  },
  startSessionByCode: {
    tag: 'Tokens',
    summary: 'Sign in by a link',
    description:
      'Starts a session by the code of a sign-in link, which works once and for five minutes. As for `POST /api/session`, ' +
      'only pages of the service can use it.',
    access: PUBLIC,
    audit: { action: 'session.start', target: 'handler' },
    body: {
      type: 'application/json',
      schema: sessionCodeBody,
      example: { code: 'pXj0…' },
      maxBytes: TOKEN_REQUEST_BYTES,
    },
    replies: { 200: jsonReply('The session.', sessionSchema, EXAMPLE, setCookie) },
    problems: ['INVALID_CLIENT', 'NOT_SAME_ORIGIN'],
  },
  getSession: {
    tag: 'Tokens',
    summary: 'Get the session',
    description: 'Returns the session of the cookie, which no script can read.',
    access: { by: 'session' },
    replies: { 200: jsonReply('The session.', sessionSchema, EXAMPLE) },
  },
  endSession: {
    tag: 'Tokens',
    summary: 'Sign out',
    description: 'Ends the session and deletes its cookie.',
    access: { by: 'session' },
    audit: { action: 'session.end', target: 'nothing' },
    replies: { 204: { description: 'The session has ended.', headers: setCookie } },
  },
} satisfies Operations;
