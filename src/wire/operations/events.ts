import { z } from 'zod';
import { batchState } from '../../domain/batch.ts';
import { batchStateView } from '../batch.ts';
import { batchId, jobId } from '../job-id.ts';
import { liveEventText, retryText } from '../live-event.ts';
import { COMPLETED_EXAMPLE, EXAMPLE_BATCH, RUNNING_EXAMPLE } from './examples.ts';
import { type Operation, type Operations, token } from './operation.ts';

const lastEventId = z
  .string()
  .optional()
  .meta({
    description:
      'The id of the last event that the client has. The stream continues after it. EventSource clients send it when they ' +
      'connect again.',
    examples: ['48211'],
  });

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
      '`batch` with the state of the whole. Only `batch` has an id, and none after progress alone. With the last one as ' +
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
