import { z } from 'zod';
import { fileListQuery, fileListSchema } from '../files.ts';
import { previewQuery } from '../preview.ts';
import { contentRange, etag, fileLocationHeader, lastModified, storageLocation } from './headers.ts';
import { jsonReply, type Operation, type Operations, type Reply, token } from './operation.ts';

const header = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

const bytes = { '*/*': { schema: z.any().meta({ description: 'The bytes of the file.' }) } };

const params = z.object({
  path: z.string().meta({
    description: "The file, relative to the client's media root. Slashes may be sent as they are, or as %2F.",
    examples: ['movies/in.mov'],
  }),
});

const writeConditions = z.object({
  'If-Match': header('Reply with 412 unless the existing file has this ETag.', '"mYt1…"'),
  'If-None-Match': header('`*`: reply with 412 if the file exists.', '*'),
});

/** Request headers of a download. */
export const readConditions = z.object({
  Range: header('One byte range. If it has several ranges, the reply is the whole file.', 'bytes=0-1023'),
  'If-Range': header('Apply `Range` only if the file has this ETag; otherwise send the whole file.', '"mYt1…"'),
  'If-None-Match': header('Reply with 304 if the file has this ETag.', '"mYt1…"'),
  'If-Match': header('Reply with 412 unless the file has this ETag.', '"mYt1…"'),
});

/** Replies of a download. */
export const DOWNLOAD = {
  200: { description: 'The file.', content: bytes, headers: { ...etag, ...lastModified } },
  206: {
    description: 'The requested range of the file.',
    content: bytes,
    headers: { ...etag, ...lastModified, ...contentRange },
  },
  302: {
    description:
      'The file is at another address, for a few minutes. Only with an object store that clients can reach. Send the ' +
      'request there without the token, which HTTP clients leave out for another host.',
    headers: { ...storageLocation, ...etag, ...lastModified },
  },
  304: { description: 'The client has the current file.', headers: etag },
} satisfies Readonly<Record<number, Reply>>;

/** What downloads add for previews: a limit, and problems. */
export const PREVIEW = {
  limit: 'previews',
  problems: [
    'INPUT_NOT_FOUND',
    'INPUT_INVALID',
    'INPUT_UNAVAILABLE',
    'UNSUPPORTED',
    'TIMEOUT',
    'NO_SPACE',
    'NOT_IMPLEMENTED',
  ],
} satisfies Partial<Operation>;

/** What the uploads of a whole file have in common. */
export const WHOLE_UPLOAD = {
  audit: { action: 'file.write', target: 'path' },
  headers: writeConditions,
  body: { type: '*/*', description: 'The bytes of the file.' },
  limit: 'uploads',
  replies: {
    201: { description: 'The file was created.', headers: { ...fileLocationHeader, ...etag } },
    204: { description: 'The file replaced another.', headers: { ...fileLocationHeader, ...etag } },
  },
  problems: [
    'QUOTA_EXCEEDED',
    'REQUEST_TIMEOUT',
    'NOT_A_FILE',
    'PRECONDITION_FAILED',
    'BODY_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'STORAGE_FAULT',
    'NO_SPACE',
  ],
} satisfies Partial<Operation>;

export const FILE_OPERATIONS = {
  listFiles: {
    tag: 'Files',
    summary: 'List files',
    description:
      'Lists the files and folders of one folder of the media root whose paths begin with the prefix. The path of a ' +
      'folder ends with a slash; its contents are not listed.',
    access: token('files:read'),
    query: fileListQuery,
    replies: {
      200: jsonReply('One page.', fileListSchema, {
        files: [
          { type: 'folder', path: 'movies/old/' },
          {
            type: 'file',
            path: 'movies/in.mov',
            sizeBytes: 13_400_512,
            modifiedAt: '2026-01-31T12:00:00.000Z',
            etag: '"mYt1x0qGkZb1pY8m5n2c3w"',
          },
        ],
      }),
    },
    problems: ['STORAGE_FAULT'],
  },
  downloadFile: {
    tag: 'Files',
    summary: 'Download a file',
    description:
      'Returns the whole file or one range, or, with `view`, a picture of it: always whole, of at most 120 KB for a usual one, ' +
      'with an entity tag of its own. HEAD returns the same header fields without a body.',
    access: token('files:read'),
    params,
    query: previewQuery,
    headers: readConditions,
    replies: DOWNLOAD,
    limit: PREVIEW.limit,
    problems: [
      ...(['FILE_NOT_FOUND', 'NOT_A_FILE', 'PRECONDITION_FAILED', 'RANGE_NOT_SATISFIABLE', 'STORAGE_FAULT'] as const),
      ...PREVIEW.problems,
    ],
  },
  uploadFile: {
    tag: 'Files',
    summary: 'Upload a file',
    description:
      'The body is the content of the file. The file appears, or replaces an existing one, only once all of it is on ' +
      'disk. Missing folders are created. A conversion that already reads the old file continues to read that.',
    access: token('files:write'),
    params,
    ...WHOLE_UPLOAD,
  },
  deleteFile: {
    tag: 'Files',
    summary: 'Delete a file, or an empty folder',
    description:
      'A path that ends with a slash is a folder, which must be empty. A conversion that already reads the file ' +
      'continues to read it.',
    access: token('files:write'),
    audit: { action: 'file.delete', target: 'path' },
    params,
    headers: writeConditions,
    body: { type: 'ignored' },
    replies: { 204: { description: 'The file or folder is deleted.' } },
    problems: ['FILE_NOT_FOUND', 'NOT_A_FILE', 'FOLDER_NOT_EMPTY', 'PRECONDITION_FAILED', 'STORAGE_FAULT'],
  },
} satisfies Operations;
