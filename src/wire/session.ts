import { z } from 'zod';
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
