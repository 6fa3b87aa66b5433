import { z } from 'zod';
import { isOwnPath } from '../domain/own-path.ts';
import { tokenBody } from './token.ts';

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

export type SignInMethodsView = z.infer<typeof signInMethods>;

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
