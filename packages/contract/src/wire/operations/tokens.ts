import { protectedResource, resourceMetadata } from '../protected-resource.ts';
import {
  externalSessionQuery,
  oauthError,
  oauthForm,
  oauthTokens,
  refreshBody,
  sessionBody,
  sessionCodeBody,
  sessionSchema,
  signInMethods,
  TOKEN_REQUEST_BYTES,
  tokenBody,
  tokensSchema,
} from '../token.ts';
import { jsonBody, jsonReply, type Operations, PUBLIC, type Reply } from './operation.ts';
import { challenge, pageLocation, retryAfter, setCookie, setTicket } from './problem-replies.ts';

const OPEN = { tag: 'Tokens', access: PUBLIC } as const;

const ACCESS_SECONDS = 900;

const TOKENS_EXAMPLE = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  refreshToken: 'the-refresh-token',
  tokenType: 'Bearer',
  expiresIn: ACCESS_SECONDS,
  scope: 'jobs:read jobs:write',
};

const oauthErrorReply = (description: string, error: string, headers: Reply['headers'] = {}) =>
  jsonReply(description, oauthError, { error, error_description: description }, headers);

export const TOKEN_OPERATIONS = {
  obtainToken: {
    ...OPEN,
    summary: 'Obtain an access token',
    description:
      'An access token is valid for 15 minutes, a refresh token for 30 days. The numbers of failed attempts, and of tokens ' +
      'and sessions of a client, are limited.',
    audit: { action: 'token.issue', target: 'handler' },
    body: jsonBody(tokenBody, { clientId: 'admin', clientSecret: 'the-secret' }, TOKEN_REQUEST_BYTES),
    limit: 'failed tokens',
    replies: { 200: jsonReply('The tokens.', tokensSchema, TOKENS_EXAMPLE) },
    problems: ['INVALID_CLIENT', 'INSUFFICIENT_SCOPE'],
  },
  refreshToken: {
    ...OPEN,
    summary: 'Refresh an access token',
    description:
      'Exchanges a refresh token for a new pair of tokens. If the reply is lost, send the same refresh token again ' +
      'within 30 seconds to get the new pair again. Later, a second use revokes every token that descends from it.',
    audit: { action: 'token.refresh', target: 'handler' },
    body: jsonBody(refreshBody, { refreshToken: 'the-refresh-token' }, TOKEN_REQUEST_BYTES),
    limit: 'failed tokens',
    replies: { 200: jsonReply('The tokens.', tokensSchema, TOKENS_EXAMPLE) },
    problems: ['INVALID_TOKEN', 'INVALID_CLIENT', 'INSUFFICIENT_SCOPE'],
  },
  oauthToken: {
    tag: 'Tokens',
    summary: 'Obtain tokens by OAuth 2.0',
    description:
      'Supports the grants `client_credentials`, which returns no refresh token, and `refresh_token` (RFC 6749). Send ' +
      'the credentials by HTTP Basic or in the form.',
    access: { by: 'client secret' },
    audit: { action: 'token.issue', target: 'handler' },
    query: 'ignored',
    body: {
      type: 'application/x-www-form-urlencoded',
      schema: oauthForm,
      example: { grant_type: 'client_credentials', client_id: 'admin', client_secret: 'the-secret' },
      maxBytes: TOKEN_REQUEST_BYTES,
    },
    limit: 'failed tokens',
    replies: {
      200: jsonReply('The tokens.', oauthTokens, {
        access_token: TOKENS_EXAMPLE.accessToken,
        token_type: 'Bearer',
        expires_in: ACCESS_SECONDS,
        scope: TOKENS_EXAMPLE.scope,
      }),
      400: oauthErrorReply('The request is invalid.', 'invalid_request'),
      401: oauthErrorReply('Unknown client or wrong secret.', 'invalid_client', challenge),
      413: oauthErrorReply('The form is too large.', 'invalid_request'),
      415: oauthErrorReply('The body is not a form.', 'invalid_request'),
      429: oauthErrorReply(
        'Too many failed attempts, or too many tokens of the client.',
        'temporarily_unavailable',
        retryAfter,
      ),
      500: oauthErrorReply('Internal error of the service.', 'server_error'),
      503: oauthErrorReply('The service is unavailable.', 'temporarily_unavailable', retryAfter),
    },
  },
} satisfies Operations;

const EXAMPLE_RESOURCE = {
  publicUrl: 'https://media.example.org',
  issuer: 'https://login.example.org',
  scopePrefix: '',
};

/** Operations that exist only if the service accepts tokens of an external issuer. */
export const ISSUER_OPERATIONS = {
  getProtectedResource: {
    ...OPEN,
    summary: 'Find the issuer of tokens for this service',
    description: 'Returns the metadata for OAuth 2.0 clients (RFC 9728). Needs no token.',
    query: 'ignored',
    replies: {
      200: jsonReply('The metadata.', protectedResource, resourceMetadata(EXAMPLE_RESOURCE, '')),
    },
  },
  getMcpProtectedResource: {
    ...OPEN,
    summary: 'Find the issuer of tokens for `/mcp`',
    description: 'Returns the metadata for clients of the Model Context Protocol (RFC 9728). Needs no token.',
    query: 'ignored',
    replies: {
      200: jsonReply('The metadata.', protectedResource, resourceMetadata(EXAMPLE_RESOURCE, '/mcp')),
    },
  },
} satisfies Operations;

const EXAMPLE = { clientId: 'admin', scopes: ['admin'], expiresAt: '2026-11-20T22:00:00.000Z' };

/** The operations to sign in to pages of the service. Programs use tokens instead. */
export const SESSION_OPERATIONS = {
  startSession: {
    ...OPEN,
    summary: 'Sign in as a page of this service',
    description:
      'For the pages of the service itself: starts a session of 12 hours in an HttpOnly cookie. Requests with it must come ' +
      'from the same origin, and need `X-Telecine-Session: 1` if they change something. Other programs use tokens.',
    audit: { action: 'session.start', target: 'handler' },
    body: jsonBody(sessionBody, { clientId: 'admin', clientSecret: 'the-secret' }, TOKEN_REQUEST_BYTES),
    limit: 'failed tokens',
    replies: { 200: jsonReply('The session.', sessionSchema, EXAMPLE, setCookie) },
    problems: ['INVALID_CLIENT', 'NOT_SAME_ORIGIN'],
  },
  startSessionByCode: {
    ...OPEN,
    summary: 'Sign in by a link',
    description:
      'Starts a session by the code of a sign-in link, which works once and for five minutes. As for `POST /api/session`, ' +
      'only pages of the service can use it.',
    audit: { action: 'session.start', target: 'handler' },
    body: jsonBody(sessionCodeBody, { code: 'pXj0…' }, TOKEN_REQUEST_BYTES),
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
    ...OPEN,
    summary: 'List the ways to sign in',
    description: 'For the page to sign in: whether people can sign in by an external issuer.',
    replies: {
      200: jsonReply('The ways.', signInMethods, { external: { issuer: 'https://login.example.org' } }),
    },
  },
  startExternalSession: {
    ...OPEN,
    summary: 'Sign in by the external issuer',
    description:
      'For a browser: leads to the issuer, where a person logs in (authorization code with PKCE). NOT_FOUND if the operator has ' +
      'not set that up.',
    limit: 'failed tokens',
    query: externalSessionQuery,
    replies: {
      303: { description: 'The browser goes to the issuer.', headers: { ...pageLocation, ...setTicket } },
    },
    problems: ['NOT_FOUND'],
  },
  finishExternalSession: {
    ...OPEN,
    summary: 'End the sign-in by the external issuer',
    description:
      'The issuer sends the browser here. Starts a session as `POST /api/session` does, for the client that has the subject of the ' +
      'person. If that fails, the page to sign in says why: the fragment of its address has `sign-in-error=CODE`. If there is no such ' +
      'client, a cookie tells that page for a minute who the person is.',
    limit: 'failed tokens',
    // The issuer chooses the query parameters.
    query: 'ignored',
    audit: { action: 'session.start', target: 'handler', isDoneByHandler: true },
    replies: {
      303: {
        description: 'The browser goes to the page that it requested.',
        headers: { ...pageLocation, ...setCookie },
      },
    },
    problems: ['NOT_FOUND'],
  },
} satisfies Operations;
