import { z } from 'zod';
import { isOwnPath } from '../domain/own-path.ts';
import { integer, text } from './described-schemas.ts';
import { flag } from './paging.ts';
import type { Shape } from './shape.ts';

/** The maximum size of a token request. It is small because the sender is not authenticated yet. */
export const TOKEN_REQUEST_BYTES = 8 * 1024;

const scope = text(
  'The scopes of the token, separated by spaces. Default: all of the client.',
  'jobs:read jobs:write',
).max(200);
const granted = text('The scopes of the token.', 'jobs:read jobs:write');
const ignored = <T extends z.ZodType>(schema: T) =>
  schema.exactOptional().meta({ description: 'Ignored. `telecine client add --json` prints it with the credentials.' });

/** Fields to ignore. Clients can then send the output of `telecine client add --json` unchanged. */
const IGNORED = {
  scopes: ignored(z.array(z.string())),
  root: ignored(z.string()),
};

export const tokenBody = z
  .strictObject({
    clientId: text('The client id that `telecine client add` printed.', 'admin').min(1).max(200),
    clientSecret: text('The secret of the client.', 'the-secret').min(1).max(1000),
    scope: scope.exactOptional(),
    ...IGNORED,
  })
  .meta({ id: 'TokenRequest', description: 'The credentials of a client.' });

export const refreshBody = z
  .strictObject({
    refreshToken: text('The latest refresh token. It can be exchanged only once.', 'the-refresh-token')
      .min(1)
      .max(1000),
  })
  .meta({ id: 'RefreshRequest', description: 'The refresh token to exchange.' });

/** The reply of `POST /api/auth/token` and `POST /api/auth/refresh`. */
export const tokensSchema = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: integer('The lifetime of the access token in seconds.').positive(),
    scope: granted,
  })
  .meta({ id: 'Tokens', description: 'An access token and its refresh token.' });

export type TokensView = Shape<typeof tokensSchema>;

/** Copies only the members that a client may get. */
export const tokensView = (issued: TokensView): TokensView => ({
  accessToken: issued.accessToken,
  refreshToken: issued.refreshToken,
  tokenType: issued.tokenType,
  expiresIn: issued.expiresIn,
  scope: issued.scope,
});

export const sessionBody = tokenBody
  .pick({ clientId: true, clientSecret: true })
  .meta({ id: 'SessionRequest', description: 'The credentials of a client.' });

export const sessionCodeBody = z
  .strictObject({
    code: text('The part after `#sign-in=` of the link that the first start prints.').min(1).max(200),
  })
  .meta({ id: 'SessionCodeRequest', description: 'The code of a sign-in link.' });

/** A session, as `POST` and `GET /api/session` return it. */
export const sessionSchema = z
  .object({
    clientId: text('The client that is signed in.', 'admin'),
    scopes: z.array(z.string()).meta({ description: 'What the session may do.', examples: [['jobs:read']] }),
    expiresAt: text('When the session ends.', '2026-11-20T22:00:00.000Z'),
    secretFile: z
      .object({
        path: text(
          'Its path on the machine of the service, or in its container.',
          '/var/lib/telecine/admin-client.json',
        ),
        format: z.enum(['json', 'text']).meta({
          description: '`json`: the secret is the member `clientSecret`. `text`: the secret is the whole file.',
        }),
      })
      .exactOptional()
      .meta({
        description:
          'The file with the secret of the client. Present only for the client `admin` with the scope `admin`, and if the file is on the machine that replies and its secret works.',
      }),
  })
  .meta({ id: 'Session', description: 'The session of a browser.' });

/** The ways in which people can sign in to pages of the service. */
export const signInMethods = z
  .object({
    external: z
      .object({ issuer: text('The issuer.', 'https://login.example.org') })
      .exactOptional()
      .meta({ description: 'Present if people can sign in by an external issuer: `GET /api/session/external`.' }),
  })
  .meta({ id: 'SignInMethods', description: 'How people can sign in, besides the id and the secret of a client.' });

export const externalSessionQuery = z.strictObject({
  to: text('The page to show afterwards: a path of this service.', '/jobs')
    .refine(isOwnPath, { error: 'Send the path of a page of this service, such as /jobs.' })
    .exactOptional(),
  otherAccount: flag('`true`: the issuer asks who signs in, also if the browser is signed in there.'),
});

export type SessionView = Shape<typeof sessionSchema>;

/** Copies only the members that a client may get. */
export const sessionView = ({ clientId, scopes, expiresAt, secretFile }: SessionView): SessionView => ({
  clientId,
  scopes,
  expiresAt,
  ...(secretFile && { secretFile: { path: secretFile.path, format: secretFile.format } }),
});

export const GRANT_TYPES = ['client_credentials', 'refresh_token'] as const;

/** The form of `POST /oauth/token` (RFC 6749, 4.4.2 and 6). Unknown parameters are ignored (3.2). */
export const oauthForm = z
  .object({
    grant_type: z.enum(GRANT_TYPES),
    client_id: text('Required without HTTP Basic.').optional(),
    client_secret: text('Required without HTTP Basic.').optional(),
    refresh_token: text('Required for `grant_type=refresh_token`.').optional(),
    scope: z.string().optional(),
  })
  .meta({ id: 'OAuthTokenRequest', description: 'An OAuth 2.0 token request.' });

/** A successful token reply (RFC 6749, 5.1). */
export const oauthTokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().positive(),
    refresh_token: z.string().optional(),
    scope: z.string(),
  })
  .meta({ id: 'OAuthTokens', description: 'An OAuth 2.0 token reply.' });

export const OAUTH_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
  'server_error',
] as const;

/** An error reply (RFC 6749, 5.2). The last two codes are from section 4.1.2.1, because section 5.2 lacks codes for these errors. */
export const oauthError = z
  .object({ error: z.enum(OAUTH_ERRORS), error_description: z.string() })
  .meta({ id: 'OAuthError', description: 'An OAuth 2.0 error.' });

export type OAuthTokensView = Shape<typeof oauthTokens>;
export type OAuthErrorView = Shape<typeof oauthError>;

export const oauthTokensView = (
  issued: Omit<TokensView, 'refreshToken'> & { readonly refreshToken?: string },
): OAuthTokensView => ({
  access_token: issued.accessToken,
  token_type: issued.tokenType,
  expires_in: issued.expiresIn,
  refresh_token: issued.refreshToken,
  scope: issued.scope,
});
