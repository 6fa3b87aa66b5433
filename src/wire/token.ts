import { z } from 'zod';

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

export type TokenBody = z.infer<typeof tokenBody>;
export type RefreshBody = z.infer<typeof refreshBody>;
export type TokensView = z.infer<typeof tokensSchema>;

export const tokensView = (pair: TokensView): TokensView => ({
  accessToken: pair.accessToken,
  refreshToken: pair.refreshToken,
  tokenType: pair.tokenType,
  expiresIn: pair.expiresIn,
  scope: pair.scope,
});
