import { z } from 'zod';
import { jobId } from '../job-id.ts';
import { liveEventText, retryText } from '../live-event.ts';
import { COMPLETED_EXAMPLE, RUNNING_EXAMPLE } from './examples.ts';
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

const example = (type: 'snapshot' | 'ended', id: number, data: unknown): string =>
  `id: ${id}\n${liveEventText({ type, data: data as never })}`;

const shared = {
  tag: 'Jobs',
  access: token('jobs:read'),
  headers: z.object({ 'Last-Event-ID': lastEventId }),
  problems: ['TOO_MANY_STREAMS'],
} satisfies Partial<Operation>;

const stream = (description: string) => ({
  description,
  content: {
    'text/event-stream': {
      schema: z.string(),
      example:
        retryText(2000) + example('snapshot', 48_211, RUNNING_EXAMPLE) + example('ended', 48_230, COMPLETED_EXAMPLE),
    },
  },
});

/** What both streams have in common. */
const FORM =
  'The data of an event is the job as `GET /api/conversion/{jobId}` shows it. `created`, `status` (also another attempt or a ' +
  'cancel request), `ended`, `expired` (its outputs were removed) and `deleted` have an id, and a client that sends it as `Last-Event-ID` misses none of them; ' +
  'it gets the current state of each job. `phase` and `progress` have no id and are not repeated. The stream ends when ' +
  'the token expires or is revoked: connect again with a new one.';

export const EVENT_OPERATIONS = {
  followJob: {
    ...shared,
    summary: 'Follow a job',
    description: `Streams a \`snapshot\` of the job, then its changes, until the job has ended or is deleted. ${FORM}`,
    params: z.object({ jobId }),
    replies: {
      200: stream('The events.'),
      204: { description: 'The job has ended, and the client has the event of that. Do not connect again.' },
    },
    problems: ['JOB_NOT_FOUND', 'TOO_MANY_STREAMS'],
  },
  followJobs: {
    ...shared,
    summary: 'Follow all jobs',
    description:
      "Streams a `snapshot` of each of the client's jobs that has not ended, then `ready`, then the changes of all jobs. " +
      'With the scope `admin`, streams the jobs of all clients. With `Last-Event-ID`, the changes since then come ' +
      'instead of the snapshots; if they are no longer known, `reset` and new snapshots come. ' +
      FORM,
    replies: { 200: stream('The events.') },
  },
} satisfies Operations;
