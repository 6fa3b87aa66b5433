import { z } from 'zod';
import { SCOPES } from '../domain/client.ts';
import { boolean, choice, moment, numberInQuery, text } from './described-schemas.ts';
import type { Shape } from './shape.ts';

const clientId = text('The name of the client.', 'shop');

const root = text('The folder of the client, in the media root of the service. `.` shares that root.', 'teams/shop')
  .min(1)
  .max(4096);

const scopes = z.array(z.enum(SCOPES)).meta({ description: 'The permissions of its tokens.' });

const limits = z.record(z.string().max(64), z.union([z.string().max(64), z.number(), z.null()])).meta({
  description:
    'Its limits, with the keys of TELECINE_CLIENT_LIMITS: a text such as `2h` or `8G`, or a number. Times are in ' +
    'seconds, sizes in bytes. `none` or null removes a limit; `default` restores the default.',
  examples: [{ duration: '2h', memory: '8G', time: 'none' }],
});

const lastAdmin = boolean('`true`: make the change even if no client with the scope `admin` is left.').exactOptional();

export const newClientBody = z
  .strictObject({
    clientId: text('1 to 64 of `a-z`, `0-9`, `.`, `_` and `-`.', 'shop').max(200),
    root: root.exactOptional(),
    scopes: scopes.exactOptional(),
    limits: limits.exactOptional(),
    externalSubject: text('The subject at the external issuer. The client then gets no secret.')
      .min(1)
      .max(1000)
      .exactOptional(),
    usesFiles: boolean(
      'Without `root`, the client gets the folder with its name. `true`: also if the folder already contains files.',
    ).exactOptional(),
  })
  .meta({ id: 'NewClient', description: 'A client to add.' });

export const clientChangesBody = z
  .strictObject({
    root: root.exactOptional(),
    scopes: scopes.exactOptional(),
    limits: limits.exactOptional(),
    lastAdmin,
  })
  .refine(({ root: r, scopes: s, limits: l }) => r !== undefined || s !== undefined || l !== undefined, {
    error: 'Nothing to change. Send "root", "scopes" or "limits".',
  })
  .meta({ id: 'ClientChanges', description: 'What to change. Limits that are not named stay.' });

const shape = {
  clientId,
  scopes: z.array(z.enum(SCOPES)),
  root: text(
    'The folder of the client, in the media root of the service. An absolute path or an address, if it is elsewhere.',
  ),
  limits: z
    .record(z.string(), z.number().nullable())
    .optional()
    .meta({ description: 'The limits that differ from the defaults, in seconds and bytes. null: no limit.' }),
  externalSubject: z.string().optional(),
  previousSecretExpiresAt: moment(
    'When the secret before the last rotation stops working. Absent if it does not work.',
  ).optional(),
  createdAt: z.iso.datetime(),
  lastUsedAt: moment(
    'When the client last got a token or a session, or sent a request with one. It is stored once an hour, so it may have been used up to ' +
      'an hour later. Absent: never.',
  ).optional(),
  revokedAt: z.iso.datetime().optional(),
};

/** For how many hours the old secret works after a rotation, at most. */
const MAX_SECRET_GRACE_HOURS = 7 * 24;

export const rotateClientQuery = z.strictObject({
  graceHours: numberInQuery(
    `For how many hours the old secret still works. At their end, or at once with 0, all earlier tokens and links become invalid.`,
    0,
  )
    .int()
    .min(0)
    .max(MAX_SECRET_GRACE_HOURS)
    .default(0),
});

export const clientSchema = z.object(shape).meta({ id: 'Client', description: 'A client of the service.' });

export const clientWithSecretSchema = z
  .object({
    ...shape,
    clientSecret: text('Save it now: it is not shown again. Absent for a client of the external issuer.').optional(),
  })
  .meta({ id: 'ClientWithSecret', description: 'A client and its new secret.' });

export const clientListSchema = z
  .object({
    clients: z.array(clientSchema),
    defaultLimits: z.record(z.string(), z.number()).meta({
      description:
        'The limits of a client that has none of its own, in seconds and bytes. A missing key means no limit.',
    }),
  })
  .meta({ id: 'ClientList', description: 'All clients, sorted by name.' });

export const findingSchema = z
  .object({
    name: text('What was checked.', 'sandbox'),
    state: choice(['ok', 'warn', 'bad'], '`warn`: it works, but with restrictions.'),
    says: z.string(),
    fix: z.string().exactOptional(),
  })
  .meta({ id: 'Finding', description: 'The result of one check.' });

export const doctorSchema = z
  .object({ findings: z.array(findingSchema) })
  .meta({ id: 'Doctor', description: 'The checks of `telecine doctor`.' });

export type RegisteredClientView = Shape<typeof clientSchema>;
export type ClientWithSecretView = Shape<typeof clientWithSecretSchema>;
export type ClientListView = Shape<typeof clientListSchema>;
export type DoctorView = Shape<typeof doctorSchema>;
