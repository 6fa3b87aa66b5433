import { z } from 'zod';

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
