import { z } from 'zod';
import { batchState } from '../../domain/batch.ts';
import { FIRST_OUTPUTS } from '../../domain/job.ts';
import { acceptedSchema } from '../accepted.ts';
import { batchStateView } from '../batch.ts';
import { conversionBody } from '../conversion.ts';
import { text } from '../described-schemas.ts';
import { dryRunSchema } from '../dry-run.ts';
import { jobListSchema, jobSchema, jobStatus, outputListQuery, outputListSchema } from '../job.ts';
import { batchId, jobId, watchId } from '../job-id.ts';
import { searchText } from '../job-search.ts';
import { jobChangesBody, jobChangesSchema, MAX_RETRIED, ofClient, withError } from '../job-selection.ts';
import { liveEventText, retryText } from '../live-event.ts';
import { withMetadataQuery } from '../metadata.ts';
import { cursor, flag, pageLimit } from '../paging.ts';
import { DRY_RUN_EXAMPLE, submission } from './conversions.ts';
import {
  ACCEPTED_EXAMPLE,
  CANCELLED_EXAMPLE,
  COMPLETED_EXAMPLE,
  EXAMPLE_BATCH,
  EXAMPLE_CONVERSION,
  RUNNING_EXAMPLE,
} from './examples.ts';
import { jsonBody, jsonReply, type Operation, type Operations, token } from './operation.ts';
import { jobLocationHeader, prefer, preferenceApplied } from './problem-replies.ts';

const READ = { tag: 'Jobs', access: token('jobs:read') } as const;
const WRITE = { tag: 'Jobs', access: token('jobs:write') } as const;

const params = z.object({ jobId });

export const JOB_OPERATIONS = {
  listJobs: {
    ...READ,
    summary: 'List jobs',
    verb: 'jobs list',
    description:
      "Lists the client's jobs, newest first. With the scope `admin`, lists the jobs of all clients. Parameters " +
      '`metadata.NAME=VALUE` select the jobs whose `metadata` has all these values, `q` those that have all its words, and ' +
      '`error` those whose error has this code. A page of such a search may have fewer jobs than `limit`, or none, and a `nextCursor`: send it to search on.',
    query: withMetadataQuery({
      status: jobStatus.exactOptional().meta({ description: 'Only jobs with this status.' }),
      client: ofClient,
      error: withError,
      watch: watchId.exactOptional().meta({ description: 'Only jobs of this watch.' }),
      q: searchText.exactOptional(),
      limit: pageLimit('Jobs', 200, 50),
      cursor: cursor(),
    }),
    replies: { 200: jsonReply('One page.', jobListSchema, { jobs: [RUNNING_EXAMPLE], nextCursor: 'MDE5OWE3YzI' }) },
  },
  changeJobs: {
    ...WRITE,
    summary: 'Cancel, retry or expire many jobs',
    verb: 'jobs change',
    description:
      "Does one thing with the client's jobs that have all the values of the body, newest first. With the scope `admin`, with those of all " +
      'clients. A reply may have fewer jobs than `limit`, or none, and a `nextCursor`: send it with the same body to go on. Sending a request ' +
      'again changes no job twice. `expire` also needs `files:write`. A `retry` is a job of the same client, and counts as a submission. ' +
      `\`retry\` and \`expire\` take at most ${MAX_RETRIED} jobs, and \`retry\` no more than the caller may submit in a minute.`,
    audit: { action: 'job.change', target: 'nothing', isExempt: ({ body }) => Object(body).dryRun === true },
    body: jsonBody(jobChangesBody, { action: 'retry', error: 'NO_SPACE', from: '2026-01-31T00:00:00Z', dryRun: true }),
    replies: {
      200: jsonReply('The jobs with which it was done, or with `dryRun` would be.', jobChangesSchema, {
        jobs: [{ jobId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e10', client: 'studio' }],
      }),
    },
    problems: ['RATE_LIMITED'],
  },
  getJob: {
    ...READ,
    summary: 'Get a job',
    verb: 'jobs show',
    description:
      'Returns its status, its progress and, once it is complete, its outputs. With `Prefer: wait=SECONDS`, the reply is ' +
      'delayed until the job has ended or the time is over.',
    params,
    headers: z.object(prefer),
    replies: { 200: jsonReply('The job.', jobSchema, COMPLETED_EXAMPLE, preferenceApplied) },
    problems: ['JOB_NOT_FOUND'],
  },
  listOutputs: {
    ...READ,
    summary: 'List the outputs of a job',
    description:
      `Lists all files that a finished job has published; the job itself has at most ${FIRST_OUTPUTS} of them. First come the outputs ` +
      `that the request names, in its order. In a list of more than ${FIRST_OUTPUTS}, manifests come next, unless the job ended ` +
      'before the service was upgraded to this version. The list does not change. It is empty for a failed job.',
    params,
    query: outputListQuery,
    replies: {
      200: jsonReply('One page.', outputListSchema, {
        outputs: [{ path: 'hls/film.m3u8', sizeBytes: 310_000 }],
        outputCount: 9001,
        nextCursor: 'YWZ0ZXIgMTAw',
      }),
    },
    problems: ['JOB_NOT_FOUND', 'JOB_NOT_FINISHED'],
  },
  deleteJob: {
    ...WRITE,
    summary: 'Delete a finished job',
    verb: 'jobs delete',
    description:
      'Deletes its record and its log, and keeps its outputs. With `outputs=true`, which also needs `files:write`, also ' +
      'deletes the outputs, except files that were replaced since the job published them.',
    audit: { action: 'job.delete', target: 'jobId' },
    params,
    query: z.strictObject({ outputs: flag("`true`: also delete the job's outputs in the media root.") }),
    replies: { 204: { description: 'The job is deleted.' } },
    problems: ['JOB_NOT_FOUND', 'JOB_NOT_FINISHED'],
  },
  cancelJob: {
    ...WRITE,
    summary: 'Cancel a job',
    verb: 'jobs cancel',
    description: 'A queued job ends at once. A running job ends soon after the reply.',
    audit: { action: 'job.cancel', target: 'jobId' },
    params,
    replies: { 202: jsonReply('The job as it is now.', jobSchema, CANCELLED_EXAMPLE) },
    problems: ['JOB_NOT_FOUND', 'JOB_FINISHED'],
  },
  retryJob: {
    ...WRITE,
    ...submission,
    summary: 'Retry a finished job',
    description:
      'Queues a new job with the same request, or with that of the body. Its `retryOf` is the id of this job. It is a job of the same client, ' +
      'also if an administrator sends this: it has the files, the recipes, the limits and the quotas of that client. A part of the body that ' +
      'is sent as the job shows it, such as a URL with `(hidden)`, is that of the stored request: a hidden option of an input or output as long ' +
      'as its path is unchanged at its place in the list. A hidden part elsewhere is rejected. Of a job ' +
      'with keys, only its client may send another request. Jobs in `after` for which this job has waited, and that have ended, are left out. ' +
      'The job of a file that a watch knows is retried in the watch: `POST /api/watches/{watchId}/retry`.',
    audit: { action: 'job.retry', target: 'new job' },
    params,
    body: jsonBody(conversionBody.optional(), EXAMPLE_CONVERSION),
    replies: {
      200: jsonReply('With `dryRun=true`: the plan.', dryRunSchema, DRY_RUN_EXAMPLE),
      202: jsonReply('The new job.', acceptedSchema, ACCEPTED_EXAMPLE, jobLocationHeader),
    },
    problems: [
      ...submission.problems,
      'JOB_NOT_FOUND',
      'JOB_NOT_FINISHED',
      'JOB_OF_WATCH',
      'JOB_HAS_KEYS',
      'CLIENT_REVOKED',
      'CLIENT_LACKS_SCOPE',
    ],
  },
  getJobLog: {
    ...READ,
    summary: "Read a job's log",
    verb: 'jobs log',
    description: "Returns the lines of ffmpeg's log that have a known form, without paths of the host.",
    params,
    replies: {
      200: {
        description: 'The log. Empty before ffmpeg has written to it.',
        content: {
          'text/plain; charset=utf-8': { schema: z.string(), example: 'frame=  240 fps= 74 time=00:00:10.00\n' },
        },
      },
    },
    problems: ['JOB_NOT_FOUND'],
  },
  getJobKey: {
    tag: 'Jobs',
    summary: 'Get the key of encrypted HLS',
    verb: 'jobs key',
    description:
      'Returns the 16 bytes of the key with which `encrypt` of the request encrypts, made by the service or sent with the ' +
      'request. A retry has the same key. Only the client of the job gets it: no administrator, and nobody by a signed link.',
    access: token('jobs:read', 'files:read'),
    audit: { action: 'job.key', target: 'jobId' },
    params,
    replies: {
      200: {
        description: 'The key, as players expect it at `keyUri`.',
        content: { 'application/octet-stream': { schema: z.any().meta({ description: 'The 16 bytes.' }) } },
        headers: { 'cache-control': text('`no-store`.') },
      },
    },
    problems: ['JOB_NOT_FOUND', 'NOT_FOUND'],
  },
} satisfies Operations;

const lastEventId = text(
  'The id of the last event that the client has. The stream continues after it. EventSource clients send it when they ' +
    'connect again.',
  '48211',
).optional();

const example = (type: 'snapshot' | 'ended' | 'batch', id: number, data: unknown): string =>
  `id: ${id}\n${liveEventText({ type, data: data as never })}`;

const shared = {
  tag: 'Jobs',
  access: token('jobs:read'),
  headers: z.object({ 'Last-Event-ID': lastEventId }),
  problems: ['TOO_MANY_STREAMS'],
} satisfies Partial<Operation>;

const stream = (
  description: string,
  events = example('snapshot', 48_211, RUNNING_EXAMPLE) + example('ended', 48_230, COMPLETED_EXAMPLE),
) => ({
  description,
  content: { 'text/event-stream': { schema: z.string(), example: retryText(2000) + events } },
});

const DATA =
  'The data of an event is the job as `GET /api/conversion/{jobId}` shows it. The types are `created`, `status` (also another ' +
  'attempt or a cancel request), `ended`, `expired` (its outputs were removed), `deleted`, `phase` and `progress`.';
const IDS =
  'All but `phase` and `progress` have an id. A client that sends the last one as `Last-Event-ID` misses none of them; it gets ' +
  'the current state of each job.';
const CLOSES = 'The stream ends when the token expires or is revoked: connect again with a new one.';

export const EVENT_OPERATIONS = {
  followJob: {
    ...shared,
    summary: 'Follow a job',
    description: `Streams a \`snapshot\` of the job, then its changes, until the job has ended or is deleted. ${DATA} ${IDS} ${CLOSES}`,
    params: z.object({ jobId }),
    replies: {
      200: stream('The events.'),
      204: { description: 'The job has ended, and the client has the event of that. Do not connect again.' },
    },
    problems: ['JOB_NOT_FOUND', 'TOO_MANY_STREAMS'],
  },
  followBatch: {
    ...shared,
    summary: 'Follow a batch',
    description:
      `Streams a \`snapshot\` of each job of the batch, then their changes, until all have ended. ${DATA} After them comes ` +
      '`batch` with the state of the batch. Only `batch` has an id, and none after progress alone. With the last one as ' +
      '`Last-Event-ID`, what has changed since then comes instead of the snapshots; if that is no longer known, `reset` and ' +
      `new snapshots come. ${CLOSES}`,
    params: z.object({ batchId }),
    replies: {
      200: stream(
        'The events.',
        liveEventText({ type: 'snapshot', data: RUNNING_EXAMPLE as never }) +
          example('batch', 48_211, batchStateView(batchState(EXAMPLE_BATCH, EXAMPLE_BATCH.jobs))),
      ),
      204: { description: 'All jobs have ended, and the client has the event of that. Do not connect again.' },
    },
    problems: ['BATCH_NOT_FOUND', 'TOO_MANY_STREAMS'],
  },
  followJobs: {
    ...shared,
    summary: 'Follow all jobs',
    description:
      "Streams a `snapshot` of each of the client's jobs that has not ended, then `ready`, then the changes of all jobs. " +
      'With the scope `admin`, streams the jobs of all clients. With `Last-Event-ID`, the changes since then come ' +
      `instead of the snapshots; if they are no longer known, \`reset\` and new snapshots come. ${DATA} ${IDS} ${CLOSES}`,
    replies: { 200: stream('The events.') },
  },
} satisfies Operations;
