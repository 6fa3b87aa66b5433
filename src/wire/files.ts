import { z } from 'zod';
import { invalidRequest } from '../domain/problem.ts';

const path = (description: string, example: string) => z.string().meta({ description, examples: [example] });

export const fileEntry = z
  .object({
    type: z.enum(['file', 'folder']),
    path: path("Relative to the client's media root; of a folder with a slash at its end.", 'movies/in.mov'),
    sizeBytes: z.int().nonnegative().optional(),
    modifiedAt: z.iso
      .datetime()
      .optional()
      .meta({ examples: ['2026-01-31T12:00:00.000Z'] }),
    etag: z.string().optional().meta({ description: 'As the header of that name: another for every other content.' }),
  })
  .meta({ id: 'FileEntry', description: 'A file, or a folder, of which only the path is told.' });

export const fileList = z
  .object({
    files: z.array(fileEntry),
    nextCursor: z.string().optional().meta({ description: 'Send as `cursor` for the next page; absent on the last.' }),
  })
  .meta({ id: 'FileList', description: 'Files and folders, by name.' });

/** Query of `GET /api/files`. */
export const fileListQuery = z.strictObject({
  prefix: z
    .string()
    .max(4096)
    .default('')
    .meta({
      description: 'What paths begin with: `movies/` lists that folder, `movies/a` what begins with `a` in it.',
      examples: ['movies/'],
    }),
  limit: z.coerce.number().int().min(1).max(1000).default(100).meta({ description: 'Entries on one page.' }),
  cursor: z.string().max(1000).exactOptional().meta({ description: '`nextCursor` of the page before.' }),
});

/** What a signed link adds to the address of an output. */
const LINK_PARAMETERS = ['client', 'issued', 'expires', 'key', 'signature'] as const;

const signed = z.string().max(300).exactOptional().meta({ description: 'Part of a signed link; all five or none.' });

/** Query of `GET /api/conversion/{jobId}/output`. */
export const outputQuery = z.strictObject({
  path: z
    .string()
    .max(4096)
    .exactOptional()
    .meta({ description: 'One of `outputs` of the job. Left out: the output itself.', examples: ['hls/part_000.ts'] }),
  client: signed,
  issued: signed,
  expires: signed,
  key: signed,
  signature: signed,
});

/** Query of `GET /api/conversion/{jobId}/links`. */
export const linksQuery = z.strictObject({
  path: z
    .string()
    .max(4096)
    .exactOptional()
    .meta({ description: 'Only a link to this one of `outputs` of the job.', examples: ['hls/part_000.ts'] }),
  seconds: z.coerce
    .number()
    .int()
    .min(1)
    .exactOptional()
    .meta({ description: 'How long the links are to be good, where that is to be less than the operator has set.' }),
});

export const outputLinks = z
  .object({
    expiresAt: z.iso.datetime().meta({ examples: ['2026-01-31T12:15:00.000Z'] }),
    links: z.array(
      z.object({
        path: path("The output, relative to the client's media root.", 'movies/out.mp4'),
        url: z.string().meta({
          description:
            'GET it without a token. Relative to the address of the service, unless the operator has told it.',
          examples: ['/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/output?path=movies%2Fout.mp4&client=…'],
        }),
      }),
    ),
  })
  .meta({ id: 'OutputLinks', description: 'Links for who has no token, the output itself first.' });

export type FileListQuery = z.infer<typeof fileListQuery>;
export type OutputQuery = z.infer<typeof outputQuery>;
export type LinksQuery = z.infer<typeof linksQuery>;
export type FileEntryView = z.infer<typeof fileEntry>;
export type FileListView = z.infer<typeof fileList>;
export type OutputLinksView = z.infer<typeof outputLinks>;

/**
 * Of a query that was not checked yet. undefined: none of a link's parts is there; what is missing of one that is begun,
 * or is there twice, is ''.
 */
export function linkOf(
  query: Readonly<Record<string, unknown>>,
): Record<(typeof LINK_PARAMETERS)[number], string> | undefined {
  if (LINK_PARAMETERS.every((name) => query[name] === undefined)) return undefined;
  const part = (name: (typeof LINK_PARAMETERS)[number]): string => {
    const value = query[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    client: part('client'),
    issued: part('issued'),
    expires: part('expires'),
    key: part('key'),
    signature: part('signature'),
  };
}

/** The cursor of a list of files: opaque to callers, today the last name. */
export const writeNameCursor = (name: string): string => Buffer.from(name).toString('base64url');

/** Throws INVALID_REQUEST for what `writeNameCursor` never wrote. */
export function readNameCursor(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  if (name !== '' && writeNameCursor(name) === cursor) return name;
  throw invalidRequest([
    {
      field: '/cursor',
      code: 'INVALID_FORMAT',
      message: 'This is no cursor of this service.',
      fix: 'Send "nextCursor" of the page before, or leave the cursor out for the first page.',
    },
  ]);
}
