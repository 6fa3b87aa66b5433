import { z } from 'zod';
import { isOwnPath } from '../domain/own-path.ts';

/** The maximum size of a token request. It is small because the sender is not authenticated yet. */
export const TOKEN_REQUEST_BYTES = 8 * 1024;

const scope = z
  .string()
  .max(200)
  .meta({
    description: 'The scopes of the token, separated by spaces. Default: all scopes of the client.',
    examples: ['jobs:read jobs:write'],
  });
const granted = z.string().meta({ description: 'The scopes of the token.', examples: ['jobs:read jobs:write'] });
const text = (description: string, example: string, max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .meta({ description, examples: [example] });

const ignored = <T extends z.ZodType>(schema: T) =>
  schema
    .exactOptional()
    .meta({ description: 'Ignored. `telecine client add --json` prints it beside the credentials.' });

/**
 * Fields that `telecine client add --json` prints besides the credentials. They are ignored, so that its output can be
 * sent unchanged.
 */
const IGNORED = {
  scopes: ignored(z.array(z.string())),
  root: ignored(z.string()),
};

/** The body of `POST /api/auth/token`. */
export const tokenBody = z
  .strictObject({
    clientId: text('The client id that `telecine client add` printed.', 'admin', 200),
    clientSecret: text('The secret of the client.', 'the-secret', 1000),
    scope: scope.exactOptional(),
    ...IGNORED,
  })
  .meta({ id: 'TokenRequest', description: 'The credentials of a client.' });

/** The body of `POST /api/auth/refresh`. */
export const refreshBody = z
  .strictObject({
    refreshToken: text('The latest refresh token. It can be exchanged only once.', 'the-refresh-token', 1000),
  })
  .meta({ id: 'RefreshRequest', description: 'The refresh token to exchange.' });

/** The reply of `POST /api/auth/token` and `POST /api/auth/refresh`. */
export const tokensSchema = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().positive().meta({ description: 'The lifetime of the access token in seconds.' }),
    scope: granted,
  })
  .meta({ id: 'Tokens', description: 'An access token and its refresh token.' });

export type TokensView = z.infer<typeof tokensSchema>;

export const tokensView = (pair: TokensView): TokensView => ({
  accessToken: pair.accessToken,
  refreshToken: pair.refreshToken,
  tokenType: pair.tokenType,
  expiresIn: pair.expiresIn,
  scope: pair.scope,
});

/** The body of `POST /api/session`. */
export const sessionBody = tokenBody
  .pick({ clientId: true, clientSecret: true })
  .meta({ id: 'SessionRequest', description: 'The credentials of a client.' });

/** The body of `POST /api/session/code`. */
export const sessionCodeBody = z
  .strictObject({
    code: z
      .string()
      .min(1)
      .max(200)
      .meta({ description: 'The part after `#sign-in=` of the link that the first start prints.' }),
  })
  .meta({ id: 'SessionCodeRequest', description: 'The code of a sign-in link.' });

/** A session, as `POST` and `GET /api/session` return it. */
export const sessionSchema = z
  .object({
    clientId: z.string().meta({ description: 'The client that is signed in.', examples: ['admin'] }),
    scopes: z.array(z.string()).meta({ description: 'What the session may do.', examples: [['jobs:read']] }),
    expiresAt: z.string().meta({ description: 'When the session ends.', examples: ['2026-11-20T22:00:00.000Z'] }),
  })
  .meta({ id: 'Session', description: 'The session of a browser.' });

/** How people can sign in to pages of the service. */
export const signInMethods = z
  .object({
    external: z
      .object({ issuer: z.string().meta({ description: 'The issuer.', examples: ['https://login.example.org'] }) })
      .exactOptional()
      .meta({ description: 'Present if people can sign in by an external issuer: `GET /api/session/external`.' }),
  })
  .meta({ id: 'SignInMethods', description: 'How people can sign in, besides the id and the secret of a client.' });

/** The query of `GET /api/session/external`. */
export const externalSessionQuery = z.strictObject({
  to: z
    .string()
    .refine(isOwnPath, { error: 'Send the path of a page of this service, such as /jobs.' })
    .exactOptional()
    .meta({ description: 'The page to show afterwards: a path of this service.', examples: ['/jobs'] }),
});

export type SessionView = z.infer<typeof sessionSchema>;

export const sessionView = ({
  clientId,
  scopes,
  expiresAt,
}: Readonly<{
  clientId: string;
  scopes: readonly string[];
  expiresAt: string;
}>): SessionView => ({ clientId, scopes: [...scopes], expiresAt });

export const GRANT_TYPES = ['client_credentials', 'refresh_token'] as const;

/** The form of `POST /oauth/token` (RFC 6749, 4.4.2 and 6). Unknown parameters are ignored (3.2). */
export const oauthForm = z
  .object({
    grant_type: z.enum(GRANT_TYPES),
    client_id: z.string().optional().meta({ description: 'Required without HTTP Basic.' }),
    client_secret: z.string().optional().meta({ description: 'Required without HTTP Basic.' }),
    refresh_token: z.string().optional().meta({ description: 'Required for `grant_type=refresh_token`.' }),
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

/**
 * An error reply (RFC 6749, 5.2). The last two codes are from section 4.1.2.1, because section 5.2 has no codes for
 * such errors.
 */
export const oauthError = z
  .object({ error: z.enum(OAUTH_ERRORS), error_description: z.string() })
  .meta({ id: 'OAuthError', description: 'An OAuth 2.0 error.' });

export type OAuthTokensView = z.infer<typeof oauthTokens>;
export type OAuthErrorView = z.infer<typeof oauthError>;

export const oauthTokensView = (issued: {
  readonly accessToken: string;
  readonly tokenType: 'Bearer';
  readonly expiresIn: number;
  readonly refreshToken?: string;
  readonly scope: string;
}): OAuthTokensView => ({
  access_token: issued.accessToken,
  token_type: issued.tokenType,
  expires_in: issued.expiresIn,
  refresh_token: issued.refreshToken,
  scope: issued.scope,
});
