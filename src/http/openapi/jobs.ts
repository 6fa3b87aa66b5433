import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { accepted } from '../../wire/accepted.ts';
import { job, jobList } from '../../wire/job.ts';
import { jobId } from '../../wire/job-id.ts';
import { listQuery, removeQuery } from '../../wire/queries.ts';
import { acceptedExample, cancelledExample, completeExample, runningExample } from './examples.ts';
import { everywhere, location, prefer, preferenceApplied, rateLimit } from './headers.ts';
import { always, json, noSuchJob, problems, reply, withBody, withQueue, withToken } from './responses.ts';

const tags = ['Jobs'];
const security = [{ bearer: [] }];
const path = z.object({ jobId });
const requestParams = { path };
const common = { ...always, ...withToken, ...noSuchJob };
/** A body that is not needed is still looked at when one is sent. */
const action = { ...withBody, ...withToken, ...noSuchJob };

export const jobPaths: ZodOpenApiPathsObject = {
  '/api/conversion': {
    get: {
      operationId: 'listJobs',
      tags,
      security,
      summary: 'List jobs',
      description: "The client's jobs, newest first; with the scope `admin`, those of all. Needs `jobs:read`.",
      requestParams: { query: listQuery },
      responses: {
        200: json('One page.', jobList, { jobs: [runningExample], nextCursor: 'MDE5OWE3YzI' }),
        ...always,
        ...withToken,
      },
    },
  },
  '/api/conversion/{jobId}': {
    get: {
      operationId: 'getJob',
      tags,
      security,
      summary: 'Get a job',
      description:
        'Its status, progress and, once it is complete, its outputs. Needs `jobs:read`. With `Prefer: wait=SECONDS` the ' +
        'reply is delayed until the job has ended.',
      requestParams: { path, header: z.object(prefer) },
      responses: { 200: json('The job.', job, completeExample, preferenceApplied), ...common },
    },
    delete: {
      operationId: 'deleteJob',
      tags,
      security,
      summary: 'Delete a finished job',
      description:
        'Its record and log go; its files stay, unless `outputs=true`: those go that are still the very files it made. ' +
        'Needs `jobs:write`, and ' +
        '`files:write` to delete files.',
      requestParams: { path, query: removeQuery },
      responses: {
        204: { description: 'It is gone.', headers: z.object(everywhere) },
        ...common,
        ...withBody,
        409: problems(['JOB_NOT_FINISHED']),
      },
    },
  },
  '/api/conversion/{jobId}/cancel': {
    post: {
      operationId: 'cancelJob',
      tags,
      security,
      summary: 'Cancel a job',
      description: 'A waiting job ends at once; a running one is asked to end. Needs `jobs:write`.',
      requestParams,
      responses: {
        202: json('The job as it is now.', job, cancelledExample),
        ...action,
        409: problems(['JOB_FINISHED']),
      },
    },
  },
  '/api/conversion/{jobId}/retry': {
    post: {
      operationId: 'retryJob',
      tags,
      security,
      summary: 'Retry a finished job',
      description: 'Queues a new job with the same request; its `retryOf` names this one. Needs `jobs:write`.',
      requestParams,
      responses: {
        202: json('The new job.', accepted, acceptedExample, { ...location, ...rateLimit }),
        ...action,
        409: problems(['JOB_NOT_FINISHED']),
        ...withQueue,
      },
    },
  },
  '/api/conversion/{jobId}/log': {
    get: {
      operationId: 'getJobLog',
      tags,
      security,
      summary: "Read a job's log",
      description: "The lines of ffmpeg's log that have a known shape, without host paths. Needs `jobs:read`.",
      requestParams,
      responses: {
        200: reply('The log; empty when there is none yet.', {
          'text/plain; charset=utf-8': { schema: z.string(), example: 'frame=  240 fps= 74 time=00:00:10.00\n' },
        }),
        ...common,
      },
    },
  },
};
