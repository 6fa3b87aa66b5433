import { z } from 'zod';
import type { QuotaName } from '../domain/client-limits.ts';

const NAMES = ['jobs', 'media', 'storage'] as const satisfies readonly QuotaName[];

export const usageQuery = z.strictObject({
  client: z.string().max(64).exactOptional().meta({
    description: 'The id of another client, for callers with the scope `admin`. Default: the caller.',
  }),
});

export const usageSchema = z
  .object({
    client: z.string(),
    day: z.iso.date().meta({ description: 'The UTC day of the quotas `jobs` and `media`.' }),
    resetsAt: z.iso.datetime().meta({ description: 'When that day ends.' }),
    slots: z
      .int()
      .nonnegative()
      .meta({
        description:
          'How many ordinary jobs of the client can run at the same time, if no other client has any: the slots of all workers, or ' +
          'its limit `running`.',
      }),
    quotas: z.array(
      z.object({
        name: z.enum(NAMES).meta({
          description:
            '`jobs`: jobs submitted on this day. `media`: seconds of media that they publish. `storage`: bytes of its files and unfinished uploads.',
        }),
        used: z.number().nonnegative().meta({ description: 'Includes what queued and running jobs have reserved.' }),
        limit: z.number().nonnegative().optional().meta({ description: 'Absent if there is none.' }),
      }),
    ),
  })
  .meta({ id: 'Usage', description: 'What a client uses of its quotas.' });

export type UsageView = z.infer<typeof usageSchema>;
