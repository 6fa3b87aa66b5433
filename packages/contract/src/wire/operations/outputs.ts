import { z } from 'zod';
import { text } from '../described-schemas.ts';
import { linksQuery, outputLinksSchema, outputQuery } from '../files.ts';
import { batchId, jobId } from '../job-id.ts';
import { linkedPreviewQuery } from '../preview.ts';
import { EXAMPLE_JOB_ID } from './examples.ts';
import { DOWNLOAD_OR_PREVIEW, PREVIEW, readConditions, ZIP } from './files.ts';
import { jsonReply, type Operation, type Operations, token } from './operation.ts';

const params = z.object({ jobId });

const linkParams = z.object({
  jobId,
  link: text('The signed link, which replaces a token.', 'admin~1769860800~1769861700~the-key~the-signature'),
  path: text('One of the `outputs` of the job. Slashes may be escaped as %2F.', 'movies/out.mp4'),
});

/** The parts that both downloads of an output share. */
const download = {
  headers: readConditions,
  replies: DOWNLOAD_OR_PREVIEW,
  problems: [
    'JOB_NOT_FOUND',
    'FILE_NOT_FOUND',
    'JOB_NOT_FINISHED',
    'OUTPUT_GONE',
    'PRECONDITION_FAILED',
    'RANGE_NOT_SATISFIABLE',
    'STORAGE_FAULT',
    ...PREVIEW.problems,
  ],
  limit: PREVIEW.limit,
} satisfies Partial<Operation>;

export const OUTPUT_OPERATIONS = {
  downloadOutput: {
    tag: 'Files',
    summary: 'Download an output of a job',
    description:
      'Returns a file that the job published, unless the file was deleted or replaced since; or, with `view`, an image of it.',
    access: token('files:read'),
    params,
    query: outputQuery,
    ...download,
  },
  downloadOutputs: {
    tag: 'Files',
    summary: 'Download all outputs of a job as one zip',
    description:
      'Streams all files that the job published, in the folders that they have below their common one. If a file was ' +
      'deleted or replaced since, the download is cut off.',
    access: token('files:read'),
    params,
    replies: ZIP,
    limit: 'zips',
    problems: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'JOB_NOT_FINISHED', 'OUTPUT_GONE', 'TOO_MANY_FILES', 'STORAGE_FAULT'],
  },
  downloadBatchOutputs: {
    tag: 'Files',
    summary: 'Download the outputs of a batch as one zip',
    description: 'Streams all files that the completed jobs of the batch have published, like the zip of one job.',
    access: token('files:read'),
    params: z.object({ batchId }),
    replies: ZIP,
    limit: 'zips',
    problems: ['BATCH_NOT_FOUND', 'FILE_NOT_FOUND', 'OUTPUT_GONE', 'TOO_MANY_FILES', 'STORAGE_FAULT'],
  },
  getOutputLinks: {
    tag: 'Files',
    summary: 'Get signed links to the outputs of a job',
    description:
      'Anyone who has a signed link can download the outputs of this one job without a token, until the link expires, the ' +
      'job is deleted, the file is replaced, the client is revoked, or its secret is rotated. The link to an HLS or DASH ' +
      'manifest plays: the names in the manifest are relative to it. A job that has failed has no links.',
    access: token('files:read'),
    audit: { action: 'link.create', target: 'jobId' },
    params,
    query: linksQuery,
    replies: {
      200: jsonReply('The links.', outputLinksSchema, {
        expiresAt: '2026-01-31T12:15:00.000Z',
        links: [
          {
            path: 'movies/out.mp4',
            url: `/api/conversion/${EXAMPLE_JOB_ID}/links/admin~1769860800~1769861700~the-key~the-signature/movies/out.mp4`,
          },
        ],
      }),
    },
    problems: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'JOB_NOT_FINISHED', 'STORAGE_FAULT'],
  },
  downloadLinkedOutput: {
    tag: 'Files',
    summary: 'Download an output by its signed link',
    description:
      'Returns a file that the job published, unless the file was deleted or replaced since; or, with `view`, an image of it. ' +
      'Use the path exactly as received.',
    access: { by: 'link', to: 'output' },
    params: linkParams,
    query: linkedPreviewQuery,
    ...download,
  },
} satisfies Operations;
