import { z } from 'zod';
import { FILE_SEARCH, fileSearchWords } from '../domain/file-search.ts';
import { FIRST_OUTPUTS } from '../domain/job.ts';
import { MAX_NAME_BYTES, MAX_PATH_BYTES } from '../domain/media-path.ts';
import { MAX_ZIP_PATHS } from '../domain/share.ts';
import { boolean, list, listInQuery, numberInQuery, text } from './described-schemas.ts';
import { MAX_OUTPUTS } from './job.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import { comparedParameters } from './preview.ts';
import { searchWordsText } from './search-words.ts';
import type { Shape } from './shape.ts';

export const fileEntrySchema = z
  .object({
    type: z.enum(['file', 'folder']),
    path: text("Relative to the client's media root. The path of a folder ends with a slash.", 'movies/in.mov'),
    sizeBytes: z.int().nonnegative().optional(),
    modifiedAt: z.iso
      .datetime()
      .optional()
      .meta({ examples: ['2026-01-31T12:00:00.000Z'] }),
    etag: text('The ETag of the file. It changes with the content.').optional(),
  })
  .meta({ id: 'FileEntry', description: 'A file, or a folder, which has only a path.' });

const FILE_PATH = "relative to the client's media root";

export const fileMoveBody = z
  .strictObject({
    from: text(`The file, or the folder if the path ends with a slash, ${FILE_PATH}.`, 'movies/in.mov').max(4096),
    to: text(
      `The new path of the file or folder, ${FILE_PATH}. Missing folders are created.`,
      'movies/old/talk.mov',
    ).max(4096),
    replace: boolean('Whether a file at `to` may be replaced. A folder never replaces anything.').default(false),
  })
  .meta({ id: 'FileMove', description: 'What to move or rename, and where to.' });

export const newFolderBody = z
  .strictObject({ path: text(`The path of the new folder, ${FILE_PATH}.`, 'movies/2026').max(4096) })
  .meta({ id: 'NewFolder', description: 'A folder to create. Missing parent folders are created too.' });

export const fileListSchema = z
  .object({
    files: z.array(fileEntrySchema),
    nextCursor,
  })
  .meta({
    id: 'FileList',
    description:
      'Files and folders, sorted by name; those that a search finds, by path. A page of a search can have few of them or none, and ' +
      'still a `nextCursor`: then the search has not looked at all names yet.',
  });

/** The words of a search of files. */
export const fileSearchText = searchWordsText({
  description:
    'Searches the folder of `prefix` and all folders in it: only files and folders that have all these words in their paths, and ' +
    'the last one in their names, in upper or lower case. Spaces and slashes divide words; quotes keep spaces in a word: `"take 2"`.',
  example: 'holiday mp4',
  limits: FILE_SEARCH,
  wordsOf: fileSearchWords,
  needsWord: true,
});

/**
 * The characters of the longest cursor, which is base64. Below the longest path of a folder, it can have a name between slashes that no client
 * can send: bytes that are not UTF-8, each of which is read as a character of three bytes.
 */
export const FILE_CURSOR = Math.ceil(((MAX_PATH_BYTES + 2 + 3 * MAX_NAME_BYTES) * 4) / 3);

export const fileListQuery = z.strictObject({
  prefix: text('`movies/` lists that folder, `movies/a` only its entries that begin with `a`.', 'movies/')
    .max(4096)
    .default(''),
  q: fileSearchText.exactOptional(),
  limit: pageLimit('Entries', 1000, 100),
  cursor: cursor(FILE_CURSOR),
});

export const filesZipQuery = z.strictObject({
  path: listInQuery(
    list(
      text('A file, or a folder if it ends with a slash.', 'movies/2026/').max(4096),
      `A file, or a folder, which ends with a slash and is sent with all that is in it. Repeat the parameter for up to ${MAX_ZIP_PATHS} of them.`,
      ['movies/2026/'],
    )
      .min(1)
      .max(MAX_ZIP_PATHS),
  ),
});

export const outputQuery = z.strictObject({
  path: text('The path of one of the `outputs` of the job. Default: its `output`.', 'hls/part_000.ts')
    .max(4096)
    .exactOptional(),
  ...comparedParameters,
});

export const linksQuery = z.strictObject({
  path: text('Show the link to this one of the `outputs` of the job only.', 'hls/part_000.ts')
    .max(4096)
    .exactOptional(),
  seconds: numberInQuery('How long the links are valid. Default and maximum: set by the operator. More is a 400.')
    .int()
    .min(1)
    .exactOptional(),
  limit: pageLimit('Links', MAX_OUTPUTS, FIRST_OUTPUTS),
  cursor: cursor(),
});

export const outputLinksSchema = z
  .object({
    expiresAt: z.iso.datetime().meta({ examples: ['2026-01-31T12:15:00.000Z'] }),
    links: z.array(
      z.object({
        path: text("The output, relative to the client's media root.", 'movies/out.mp4'),
        url: text(
          'The URL to download with GET, without a token. It is a path unless the operator has set the public URL of ' +
            'the service.',
          '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/links/shop~1769860800~…/movies/out.mp4',
        ),
      }),
    ),
    nextCursor,
  })
  .meta({
    id: 'OutputLinks',
    description:
      'Links that need no token. The first link of the first page is that to `output` of the job. The link to a manifest is ' +
      'enough to play it: the names in the manifest are relative to it.',
  });

export type FileMove = z.input<typeof fileMoveBody>;
export type FileEntryView = Shape<typeof fileEntrySchema>;
export type FileListView = Shape<typeof fileListSchema>;
export type OutputLinksView = Shape<typeof outputLinksSchema>;
