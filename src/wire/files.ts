import { z } from 'zod';
import { FIRST_OUTPUTS } from '../domain/job.ts';
import { MAX_OUTPUTS } from './job.ts';
import { cursor, nextCursor, pageLimit } from './paging.ts';
import { comparedParameters } from './preview.ts';

const path = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const fileEntry = z
  .object({
    type: z.enum(['file', 'folder']),
    path: path("Relative to the client's media root. The path of a folder ends with a slash.", 'movies/in.mov'),
    sizeBytes: z.int().nonnegative().optional(),
    modifiedAt: z.iso
      .datetime()
      .optional()
      .meta({ examples: ['2026-01-31T12:00:00.000Z'] }),
    etag: z.string().optional().meta({ description: 'The ETag of the file. It changes with the content.' }),
  })
  .meta({ id: 'FileEntry', description: 'A file, or a folder, which has only a path.' });

export const fileListSchema = z
  .object({
    files: z.array(fileEntry),
    nextCursor,
  })
  .meta({ id: 'FileList', description: 'Files and folders, sorted by name.' });

/** Query of `GET /api/files`. */
export const fileListQuery = z.strictObject({
  prefix: z
    .string()
    .max(4096)
    .default('')
    .meta({
      description:
        'The beginning of the paths: `movies/` lists that folder, `movies/a` only its entries whose names begin with `a`.',
      examples: ['movies/'],
    }),
  limit: pageLimit('Entries', 1000, 100),
  cursor: cursor(1000),
});

/** Query of `GET /api/conversion/{jobId}/output`. */
export const outputQuery = z.strictObject({
  path: z
    .string()
    .max(4096)
    .exactOptional()
    .meta({
      description: 'The path of one of the `outputs` of the job. Default: its `output`.',
      examples: ['hls/part_000.ts'],
    }),
  ...comparedParameters,
});

/** Query of `GET /api/conversion/{jobId}/links`. */
export const linksQuery = z.strictObject({
  path: z
    .string()
    .max(4096)
    .exactOptional()
    .meta({
      description: 'Show the link to this one of the `outputs` of the job only.',
      examples: ['hls/part_000.ts'],
    }),
  seconds: z.coerce.number().int().min(1).exactOptional().meta({
    description:
      'How long the links are valid. At most, and by default: the time that the operator has set. More is a 400.',
  }),
  limit: pageLimit('Links', MAX_OUTPUTS, FIRST_OUTPUTS),
  cursor: cursor(),
});

export const outputLinksSchema = z
  .object({
    expiresAt: z.iso.datetime().meta({ examples: ['2026-01-31T12:15:00.000Z'] }),
    links: z.array(
      z.object({
        path: path("The output, relative to the client's media root.", 'movies/out.mp4'),
        url: z.string().meta({
          description:
            'The URL to download with GET, without a token. It is a path unless the operator has set the public URL of ' +
            'the service.',
          examples: ['/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/links/shop~1769860800~…/movies/out.mp4'],
        }),
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

export type FileListQuery = z.infer<typeof fileListQuery>;
export type OutputQuery = z.infer<typeof outputQuery>;
export type LinksQuery = z.infer<typeof linksQuery>;
export type FileEntryView = z.infer<typeof fileEntry>;
export type FileListView = z.infer<typeof fileListSchema>;
export type OutputLinksView = z.infer<typeof outputLinksSchema>;
