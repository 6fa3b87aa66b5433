import { oauthError, oauthForm, oauthTokens } from '../oauth.ts';
import { protectedResource, resourceMetadata } from '../protected-resource.ts';
import { refreshBody, TOKEN_REQUEST_BYTES, tokenBody, tokensSchema } from '../token.ts';
import { challenge, retryAfter } from './headers.ts';
import { jsonReply, type Operations, PUBLIC, type Reply } from './operation.ts';

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
    tag: 'Tokens',
    summary: 'Obtain an access token',
    description:
      'An access token is valid for 15 minutes, a refresh token for 30 days. The number of failed attempts is limited, ' +
      'and that of the tokens and sessions of a client.',
    access: PUBLIC,
    audit: { action: 'token.issue', target: 'handler' },
    body: {
      type: 'application/json',
      schema: tokenBody,
      example: { clientId: 'admin', clientSecret: 'the-secret' },
      maxBytes: TOKEN_REQUEST_BYTES,
    },
    limit: 'failed tokens',
    replies: { 200: jsonReply('The tokens.', tokensSchema, TOKENS_EXAMPLE) },
    problems: ['INVALID_CLIENT', 'INSUFFICIENT_SCOPE'],
  },
  refreshToken: {
    tag: 'Tokens',
    summary: 'Refresh an access token',
    description:
      'Exchanges a refresh token for a new pair of tokens. If the reply is lost, send the same refresh token again ' +
      'within 30 seconds to get the new pair again. Later, a second use revokes every token that descends from it.',
    access: PUBLIC,
    audit: { action: 'token.refresh', target: 'handler' },
    body: {
      type: 'application/json',
      schema: refreshBody,
      example: { refreshToken: 'the-refresh-token' },
      maxBytes: TOKEN_REQUEST_BYTES,
    },
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
    tag: 'Tokens',
    summary: 'Find the issuer of tokens for this service',
    description: 'Returns the metadata for OAuth 2.0 clients (RFC 9728). Needs no token.',
    access: PUBLIC,
    query: 'ignored',
    replies: {
      200: jsonReply('The metadata.', protectedResource, resourceMetadata(EXAMPLE_RESOURCE, '')),
    },
  },
  getMcpProtectedResource: {
    tag: 'Tokens',
    summary: 'Find the issuer of tokens for `/mcp`',
    description: 'Returns the metadata for clients of the Model Context Protocol (RFC 9728). Needs no token.',
    access: PUBLIC,
    query: 'ignored',
    replies: {
      200: jsonReply('The metadata.', protectedResource, resourceMetadata(EXAMPLE_RESOURCE, '/mcp')),
    },
  },
} satisfies Operations;
