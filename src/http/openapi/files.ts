import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { fileList, fileListQuery, linksQuery, outputLinks, outputQuery } from '../../wire/files.ts';
import { jobId } from '../../wire/job-id.ts';
import { challenge, everywhere, retryAfter } from './headers.ts';
import { always, json, problems, reply, withToken } from './responses.ts';

const tags = ['Files'];
const security = [{ bearer: [] }];

const header = (description: string, example: string) =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

const etag = { ETag: z.string().meta({ description: 'Another for every other content.', examples: ['"mYt1…"'] }) };
const modified = { 'Last-Modified': z.string().meta({ examples: ['Sat, 31 Jan 2026 12:00:00 GMT'] }) };
const contentRange = { 'Content-Range': z.string().meta({ examples: ['bytes 0-1023/13400512'] }) };

const bytes = { '*/*': { schema: z.any().meta({ description: 'The bytes of the file.' }) } };

const location = {
  Location: z.string().meta({ description: 'Where the file is.', examples: ['/api/files/movies/in.mov'] }),
};

const path = z.object({
  path: z.string().meta({
    description: "The file, relative to the client's media root. Slashes may be sent as they are, or as %2F.",
    examples: ['movies/in.mov'],
  }),
});

const readConditions = z.object({
  Range: header('One range of bytes. Several at once are answered with the whole file.', 'bytes=0-1023'),
  'If-Range': header('Only where the file has this ETag still, else all of it.', '"mYt1…"'),
  'If-None-Match': header('304 where the file has this ETag.', '"mYt1…"'),
  'If-Match': header('412 unless the file has this ETag.', '"mYt1…"'),
});

const writeConditions = z.object({
  'If-Match': header('412 unless the file that stands there has this ETag.', '"mYt1…"'),
  'If-None-Match': header('`*`: 412 where a file stands there.', '*'),
});

const faults = {
  ...always,
  ...withToken,
  500: problems(['INTERNAL', 'STORAGE_FAULT']),
};

const download = {
  200: reply('The file.', bytes, { ...etag, ...modified }),
  206: reply('The part of it that was asked for.', bytes, { ...etag, ...modified, ...contentRange }),
  304: { description: 'The caller has it already.', headers: z.object({ ...everywhere, ...etag }) },
  412: problems(['PRECONDITION_FAILED']),
  416: problems(['RANGE_NOT_SATISFIABLE'], contentRange),
} satisfies ZodOpenApiOperationObject['responses'];

const missing = { 404: problems(['FILE_NOT_FOUND']), 409: problems(['NOT_A_FILE']) };

export const filePaths: ZodOpenApiPathsObject = {
  '/api/files': {
    get: {
      operationId: 'listFiles',
      tags,
      security,
      summary: 'List files',
      description:
        'One folder of the media root, or what of it begins with the prefix; folders end with a slash and are not ' +
        'descended into. Needs `files:read`.',
      requestParams: { query: fileListQuery },
      responses: {
        200: json('One page.', fileList, {
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
        ...faults,
      },
    },
  },
  '/api/files/{path}': {
    get: {
      operationId: 'downloadFile',
      tags,
      security,
      summary: 'Download a file',
      description: 'All of it or one range. HEAD tells the same without the bytes. Needs `files:read`.',
      requestParams: { path, header: readConditions },
      responses: { ...download, ...faults, ...missing },
    },
    put: {
      operationId: 'uploadFile',
      tags,
      security,
      summary: 'Upload a file',
      description:
        'The body is the file. It appears when all of it is on disk, in place of one of that name, or not at all; ' +
        'missing folders are made. A conversion that reads the file before goes on with that one. Needs `files:write`.',
      requestParams: { path, header: writeConditions },
      requestBody: { required: true, content: bytes },
      responses: {
        201: { description: 'It is there.', headers: z.object({ ...everywhere, ...location, ...etag }) },
        204: {
          description: 'It is there, in place of another.',
          headers: z.object({ ...everywhere, ...location, ...etag }),
        },
        ...faults,
        408: problems(['REQUEST_TIMEOUT']),
        409: missing[409],
        412: problems(['PRECONDITION_FAILED']),
        413: problems(['BODY_TOO_LARGE']),
        415: problems(['UNSUPPORTED_MEDIA_TYPE']),
        429: problems(['TOO_MANY_UPLOADS'], retryAfter),
        507: problems(['NO_SPACE']),
      },
    },
    delete: {
      operationId: 'deleteFile',
      tags,
      security,
      summary: 'Delete a file, or an empty folder',
      description:
        'A conversion that reads the file goes on. A path that ends with a slash is a folder, which must be empty. Needs ' +
        '`files:write`.',
      requestParams: { path, header: writeConditions },
      responses: {
        204: { description: 'It is gone.', headers: z.object(everywhere) },
        ...faults,
        ...missing,
        409: problems(['NOT_A_FILE', 'FOLDER_NOT_EMPTY']),
        412: problems(['PRECONDITION_FAILED']),
      },
    },
  },
  '/api/conversion/{jobId}/output': {
    get: {
      operationId: 'downloadOutput',
      tags,
      security: [{ bearer: [] }, {}],
      summary: 'Download what a job made',
      description:
        'The very file that the job made, as long as it is there. With the parts of a signed link no token is needed; ' +
        'else the scope `files:read` is.',
      requestParams: { path: z.object({ jobId }), query: outputQuery, header: readConditions },
      responses: {
        ...download,
        ...faults,
        403: problems(['INSUFFICIENT_SCOPE', 'INVALID_LINK'], {
          'WWW-Authenticate': challenge['WWW-Authenticate'].optional(),
        }),
        404: problems(['JOB_NOT_FOUND', 'FILE_NOT_FOUND']),
        409: problems(['JOB_NOT_FINISHED']),
        410: problems(['OUTPUT_GONE', 'LINK_EXPIRED']),
      },
    },
  },
  '/api/conversion/{jobId}/links': {
    get: {
      operationId: 'getOutputLinks',
      tags,
      security,
      summary: 'Get signed links to what a job made',
      description:
        'Whoever has such a link can download that one file until it expires, the job is deleted, the file is ' +
        'replaced, or the client is revoked or gets another secret. Needs `files:read`.',
      requestParams: { path: z.object({ jobId }), query: linksQuery },
      responses: {
        200: json('The links.', outputLinks, {
          expiresAt: '2026-01-31T12:15:00.000Z',
          links: [
            {
              path: 'movies/out.mp4',
              url: '/api/conversion/0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10/output?path=movies%2Fout.mp4&client=admin&issued=1769860800&expires=1769861700&key=the-key&signature=the-signature',
            },
          ],
        }),
        ...faults,
        404: problems(['JOB_NOT_FOUND', 'FILE_NOT_FOUND']),
        409: problems(['JOB_NOT_FINISHED']),
      },
    },
  },
};
