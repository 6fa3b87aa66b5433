import { z } from 'zod';
import { text } from '../described-schemas.ts';
import { linksQuery, outputLinksSchema, outputQuery } from '../files.ts';
import { jobId } from '../job-id.ts';
import { linkedPreviewQuery } from '../preview.ts';
import { EXAMPLE_JOB_ID } from './examples.ts';
import { DOWNLOAD, PREVIEW, readConditions } from './files.ts';
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
  replies: DOWNLOAD,
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
