import { z } from 'zod';
import type { QuotaName } from '../domain/client-limits.ts';
import { choice, count, number, text } from './described-schemas.ts';
import type { Shape } from './shape.ts';

const NAMES = ['jobs', 'media', 'storage'] as const satisfies readonly QuotaName[];

export const usageQuery = z.strictObject({
  client: text('The id of another client, for callers with the scope `admin`. Default: the caller.')
    .max(64)
    .exactOptional(),
});

export const usageSchema = z
  .object({
    client: z.string(),
    day: z.iso.date().meta({ description: 'The UTC day of the quotas `jobs` and `media`.' }),
    resetsAt: z.iso.datetime().meta({ description: 'When that day ends.' }),
    slots: count(
      'How many ordinary jobs of the client can run at the same time, if no other client has any: the slots of all workers, or ' +
        'its limit `running`.',
    ),
    quotas: z.array(
      z.object({
        name: choice(
          NAMES,
          '`jobs`: jobs submitted on this day. `media`: seconds of media that they publish. `storage`: bytes of its files and unfinished uploads.',
        ),
        used: number('Includes what queued and running jobs have reserved.').nonnegative(),
        limit: number('Absent without a limit.').nonnegative().optional(),
      }),
    ),
  })
  .meta({ id: 'Usage', description: 'What a client uses of its quotas.' });

export type UsageView = Shape<typeof usageSchema>;
