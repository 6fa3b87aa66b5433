import { z } from 'zod';
import type { QuotaName } from '../domain/client-limits.ts';
import { choice, count, list, moment, number, numberInQuery, text } from './described-schemas.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import type { Shape } from './shape.ts';

const NAMES = ['jobs', 'media', 'storage', 'records'] as const satisfies readonly QuotaName[];

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
          '`jobs`: jobs submitted on this day. `media`: seconds of media that they publish. `storage`: bytes of the files in its media root, and of unfinished uploads. `records`: about the bytes of its records in the database.',
        ),
        used: number('Includes what queued and running jobs have reserved.').nonnegative(),
        limit: number('Absent without a limit.').nonnegative().optional(),
      }),
    ),
  })
  .meta({ id: 'Usage', description: 'What a client uses of its quotas.' });

export type UsageView = Shape<typeof usageSchema>;

export const usageListQuery = z.strictObject({ limit: pageLimit('Clients', 1000, 100), cursor: cursor() });

const STORED =
  'The bytes of the files in its media root, and of its unfinished uploads. Clients can share a media root.';
const IN_BIN = 'The bytes of the files in its bin.';

export const usageListSchema = z
  .object({
    day: z.iso.date().meta({ description: 'The UTC day of `jobs` and `mediaSeconds`.' }),
    resetsAt: moment('When that day ends.'),
    disk: z
      .object({
        totalBytes: count('The size of the disk, without what it keeps for root.'),
        freeBytes: count('The bytes that are free for the service.'),
        otherBytes: count(
          'The used bytes that are in no media root of a client: scratch folders of running jobs, and other data on this disk.',
        ),
      })
      .optional()
      .meta({
        description:
          'The disk of the media root. `total.storedBytes`, `total.binBytes`, `otherBytes` and `freeBytes` together are ' +
          '`totalBytes`, unless files have just been added or removed. Absent if media are in a bucket.',
      }),
    total: z.object({
      clients: count('How many clients there are, including revoked ones.'),
      storedBytes: count(
        'The bytes of the files and unfinished uploads in all media roots, of which each counts once.',
      ),
      binBytes: count('The bytes of the files in all bins.'),
    }),
    clients: list(
      z.object({
        client: z.string(),
        revokedAt: moment('When the client was revoked. Its files stay.').optional(),
        storedBytes: count(STORED),
        binBytes: count(IN_BIN),
        storageLimit: count('Its limit `storage` in bytes. Absent without a limit.').optional(),
        jobs: count('Jobs that it submitted on this day.'),
        mediaSeconds: number('Seconds of media that its jobs of this day publish.').nonnegative(),
      }),
      'The clients, first those that use the most space.',
    ),
    nextCursor,
  })
  .meta({ id: 'UsageList', description: 'What all clients use of the storage and of their quotas.' });

export const largestFilesQuery = z.strictObject({
  client: usageQuery.shape.client,
  folder: text('A folder, such as `films/`. Default: the whole media root of the client.', 'films/')
    .max(4096)
    .exactOptional(),
  limit: numberInQuery('The number of folders, and of files.').int().min(1).max(100).default(20),
});

export const largestFilesSchema = z
  .object({
    client: z.string(),
    folder: text('The folder. Empty: the whole media root of the client.'),
    files: count('How many files the folder and the folders in it have.'),
    bytes: count('The bytes of these files.'),
    largestFolders: list(
      z.object({
        path: text('The path of the folder. It ends with a slash.', 'films/2026/'),
        files: count('How many files are in it and in the folders in it.'),
        bytes: count('The bytes of these files.'),
      }),
      'The folders directly in this folder, first those with the most bytes.',
    ),
    largestFiles: list(
      z.object({ path: z.string(), bytes: count('The size of the file.') }),
      'The largest files of the folder and of the folders in it.',
    ),
  })
  .meta({
    id: 'LargestFiles',
    description:
      'What takes the space of a client: all files in its media root, without its bin and unfinished uploads. A large folder takes seconds to read.',
  });
