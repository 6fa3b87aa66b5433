import { externalSessionQuery, sessionBody, sessionCodeBody, sessionSchema, signInMethods } from '../session.ts';
import { TOKEN_REQUEST_BYTES } from '../token.ts';
import { pageLocation, setCookie, setTicket } from './headers.ts';
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
    problems: ['INVALID_CLIENT', 'NOT_SAME_ORIGIN', 'RATE_LIMITED'],
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
  getSignInMethods: {
    tag: 'Tokens',
    summary: 'List the ways to sign in',
    description: 'For the page to sign in: whether people can sign in by an external issuer.',
    access: PUBLIC,
    replies: {
      200: jsonReply('The ways.', signInMethods, { external: { issuer: 'https://login.example.org' } }),
    },
  },
  startExternalSession: {
    tag: 'Tokens',
    summary: 'Sign in by the external issuer',
    description:
      'For a browser: leads to the issuer, where a person logs in (authorization code with PKCE). NOT_FOUND if the operator has ' +
      'not set that up.',
    access: PUBLIC,
    limit: 'failed tokens',
    query: externalSessionQuery,
    replies: {
      303: { description: 'The browser goes to the issuer.', headers: { ...pageLocation, ...setTicket } },
    },
    problems: ['NOT_FOUND'],
  },
  finishExternalSession: {
    tag: 'Tokens',
    summary: 'End the sign-in by the external issuer',
    description:
      'The issuer sends the browser here. Starts a session as `POST /api/session` does, for the client that has the subject of the ' +
      'person. If that fails, the page to sign in says why: the fragment of its address has `sign-in-error=CODE`.',
    access: PUBLIC,
    limit: 'failed tokens',
    // The issuer chooses the parameters.
    query: 'ignored',
    audit: { action: 'session.start', target: 'handler', isDoneByHandler: true },
    replies: {
      303: { description: 'The browser goes to the page that it wanted.', headers: { ...pageLocation, ...setCookie } },
    },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;
