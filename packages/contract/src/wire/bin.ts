import { z } from 'zod';
import { boolean, integer, list, moment, text } from './described-schemas.ts';
import type { Shape } from './shape.ts';

/** The maximum number of paths in one deletion, and of entries in a list of the bin. */
export const MAX_DELETIONS = 1000;

const entryId = text('The id of the entry in the bin.', '2026-01-31.120000000-5b1e4c3d9f21-1-13400512');

export const binEntryId = z.object({ entryId });

export const fileDeletionBody = z
  .strictObject({
    paths: list(
      text(
        "A file, or a folder if the path ends with a slash, relative to the client's media root.",
        'movies/in.mov',
      ).max(4096),
      'What to delete. Without `keep`, a folder must be empty.',
    )
      .min(1)
      .max(MAX_DELETIONS),
    keep: boolean(
      'Whether to keep what is deleted in the bin of the client for some time, so that it can be restored. A folder is then kept with ' +
        'all that is in it.',
    ).default(false),
  })
  .meta({ id: 'FileDeletion', description: 'Files and folders to delete.' });

export const binEntrySchema = z
  .object({
    entryId,
    path: text('Where the file or folder was. The path of a folder ends with a slash.', 'movies/in.mov'),
    sizeBytes: integer('The size of the file, or of all files in the folder.', 13_400_512).nonnegative(),
    deletedAt: moment('When it was deleted.'),
    expiresAt: moment(
      'When it is deleted permanently, or earlier if the room is needed. Absent if it is a version in a bucket, which stays as long as its lifecycle rules say.',
      '2026-02-01T12:00:00.000Z',
    ).optional(),
  })
  .meta({ id: 'BinEntry', description: 'A deleted file or folder that can be restored.' });

export const fileDeletionSchema = z
  .object({
    deleted: list(
      z.object({ path: z.string(), entry: binEntrySchema.optional() }),
      'What was deleted. `entry`: its entry in the bin, if it was kept.',
    ),
    failed: list(
      z.object({ path: z.string(), code: z.string(), detail: z.string() }),
      'What was not deleted, and why: the code and the detail of a problem.',
    ),
  })
  .meta({ id: 'FileDeletionResult', description: 'The result of a deletion, by path, in the order of the request.' });

export const binSchema = z
  .object({
    entries: list(binEntrySchema, `The newest ${MAX_DELETIONS} entries, the newest first.`),
    keepSeconds: integer(
      'How long deleted files are kept. 0: they are not. Absent: as long as the bucket keeps versions.',
      86_400,
    )
      .nonnegative()
      .optional(),
    sizeBytes: integer('The size of all entries.', 13_400_512).nonnegative(),
  })
  .meta({ id: 'Bin', description: 'The bin of a client.' });

export const restoreBody = z
  .strictObject({
    to: text('Where to restore it. Default: where it was.', 'movies/in-2.mov').max(4096).exactOptional(),
  })
  .meta({ id: 'Restoration', description: 'Where to restore an entry of the bin.' });

export type FileDeletion = z.input<typeof fileDeletionBody>;
export type FileDeletionResult = Shape<typeof fileDeletionSchema>;
export type BinEntryView = Shape<typeof binEntrySchema>;
export type BinView = Shape<typeof binSchema>;
