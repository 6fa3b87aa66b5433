import { z } from 'zod';
import { linksQuery, outputLinksSchema, outputQuery } from '../files.ts';
import { jobId } from '../job-id.ts';
import { EXAMPLE_JOB_ID } from './examples.ts';
import { DOWNLOAD, readConditions } from './files.ts';
import { jsonReply, type Operations, token } from './operation.ts';

const params = z.object({ jobId });

export const OUTPUT_OPERATIONS = {
  downloadOutput: {
    tag: 'Files',
    summary: 'Download an output of a job',
    description:
      'Returns a file that the job published, unless the file was deleted or replaced since. The parameters of a signed ' +
      'link replace the token.',
    access: { by: 'token or link', scopes: ['files:read'] },
    params,
    query: outputQuery,
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
    ],
  },
  getOutputLinks: {
    tag: 'Files',
    summary: 'Get signed links to the outputs of a job',
    description:
      'Anyone who has a signed link can download that one file without a token, until the link expires, the job is ' +
      'deleted, the file is replaced, the client is revoked, or its secret is rotated.',
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
            url: `/api/conversion/${EXAMPLE_JOB_ID}/output?path=movies%2Fout.mp4&client=admin&issued=1769860800&expires=1769861700&key=the-key&signature=the-signature`,
          },
        ],
      }),
    },
    problems: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'JOB_NOT_FINISHED', 'STORAGE_FAULT'],
  },
} satisfies Operations;
