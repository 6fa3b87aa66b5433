import { z } from 'zod';

/** Bytes of the body of any token request, far above what its members may have: nobody is known yet who sends it. */
export const TOKEN_REQUEST_BYTES = 8 * 1024;

const scope = z
  .string()
  .max(200)
  .meta({
    description: 'Scopes that the token is to have, separated by spaces. Left out: all that the client holds.',
    examples: ['jobs:read jobs:write'],
  });
const granted = z.string().meta({ description: 'Scopes of the token.', examples: ['jobs:read jobs:write'] });
const text = (description: string, example: string, max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .meta({ description, examples: [example] });

/** The body of `POST /api/auth/token`. */
export const tokenBody = z
  .strictObject({
    clientId: text('As `telecine client add` printed it.', 'admin', 200),
    clientSecret: text('The secret that belongs to it.', 'the-secret', 1000),
    scope: scope.exactOptional(),
  })
  .meta({ id: 'TokenRequest', description: 'Who asks for a token.' });

/** The body of `POST /api/auth/refresh`. */
export const refreshBody = z
  .strictObject({
    refreshToken: text('As it was last issued; it is good for one exchange.', 'the-refresh-token', 1000),
  })
  .meta({ id: 'RefreshRequest', description: 'What is exchanged for new tokens.' });

/** The reply of both. */
export const tokens = z
  .object({
    accessToken: z.string(),
    refreshToken: z.string(),
    tokenType: z.literal('Bearer'),
    expiresIn: z.int().positive().meta({ description: 'Seconds that the access token lasts.' }),
    scope: granted,
  })
  .meta({ id: 'Tokens', description: 'An access token and what renews it.' });

export type TokenBody = z.infer<typeof tokenBody>;
export type RefreshBody = z.infer<typeof refreshBody>;
export type TokensView = z.infer<typeof tokens>;

export const tokensView = (pair: TokensView): TokensView => ({
  accessToken: pair.accessToken,
  refreshToken: pair.refreshToken,
  tokenType: pair.tokenType,
  expiresIn: pair.expiresIn,
  scope: pair.scope,
});
