import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { oauthError, oauthForm, oauthTokens } from '../../wire/oauth.ts';
import { refreshBody, tokenBody, tokens } from '../../wire/token.ts';
import { challenge, retryAfter } from './headers.ts';
import { json, problems, withBody } from './responses.ts';

const tags = ['Tokens'];
const ACCESS_SECONDS = 900;

const tokensExample = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.e30.c2ln',
  refreshToken: 'the-refresh-token',
  tokenType: 'Bearer',
  expiresIn: ACCESS_SECONDS,
  scope: 'jobs:read jobs:write',
};

const oauthFault = (description: string, error: string, headers = {}) =>
  json(description, oauthError, { error, error_description: description }, headers);

const oauthOperation: ZodOpenApiOperationObject = {
  operationId: 'oauthToken',
  tags,
  security: [{ basic: [] }, {}],
  summary: 'Obtain tokens the OAuth 2.0 way',
  description:
    'RFC 6749: `client_credentials`, which has no refresh token, and `refresh_token`. Credentials come by HTTP Basic ' +
    'or in the form.',
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: oauthForm,
        example: { grant_type: 'client_credentials', client_id: 'admin', client_secret: 'the-secret' },
      },
    },
  },
  responses: {
    200: json('The tokens.', oauthTokens, {
      access_token: tokensExample.accessToken,
      token_type: 'Bearer',
      expires_in: ACCESS_SECONDS,
      scope: tokensExample.scope,
    }),
    400: oauthFault('The request is wrong.', 'invalid_request'),
    401: oauthFault('The client is not known.', 'invalid_client', challenge),
    413: oauthFault('The form is too large.', 'invalid_request'),
    415: oauthFault('The body is no form.', 'invalid_request'),
    429: oauthFault('Too many failed attempts.', 'temporarily_unavailable', retryAfter),
    500: oauthFault('Something went wrong inside the service.', 'server_error'),
    503: oauthFault('The service cannot take this now.', 'temporarily_unavailable', retryAfter),
  },
};

export const tokenPaths: ZodOpenApiPathsObject = {
  '/api/auth/token': {
    post: {
      operationId: 'obtainToken',
      tags,
      security: [],
      summary: 'Obtain an access token',
      description: 'Access tokens last 15 minutes, refresh tokens 30 days. Failed attempts are limited.',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: tokenBody, example: { clientId: 'admin', clientSecret: 'the-secret' } },
        },
      },
      responses: {
        200: json('The tokens.', tokens, tokensExample),
        ...withBody,
        401: problems(['INVALID_CLIENT'], challenge),
        403: problems(['INSUFFICIENT_SCOPE'], challenge),
        429: problems(['RATE_LIMITED'], retryAfter),
      },
    },
  },
  '/api/auth/refresh': {
    post: {
      operationId: 'refreshToken',
      tags,
      security: [],
      summary: 'Refresh an access token',
      description:
        'Exchanges a refresh token for a new pair. Using an old one again revokes all that came of it, except within ' +
        '30 seconds, when a lost reply may be asked for once more.',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refreshBody, example: { refreshToken: 'the-refresh-token' } } },
      },
      responses: {
        200: json('The tokens.', tokens, tokensExample),
        ...withBody,
        401: problems(['INVALID_TOKEN', 'INVALID_CLIENT'], challenge),
        403: problems(['INSUFFICIENT_SCOPE'], challenge),
        429: problems(['RATE_LIMITED'], retryAfter),
      },
    },
  },
  '/oauth/token': { post: oauthOperation },
};
