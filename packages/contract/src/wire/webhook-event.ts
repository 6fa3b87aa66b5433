import { z } from 'zod';
import { BATCH_EVENTS, JOB_EVENTS, TEST_EVENT, WATCH_EVENTS } from '../domain/webhook.ts';
import { endedBatchSchema } from './batch.ts';
import { count, moment, text } from './described-schemas.ts';
import { jobSchema } from './job.ts';
import { watchId } from './job-id.ts';
import { EXAMPLE_WATCH_ID, EXAMPLE_WATCHED_FILE, endedBatchExamples, endedExamples } from './operations/examples.ts';
import { watchedFailureSchema, watchedFileSchema } from './watch.ts';
import { webhookId } from './webhook.ts';

const ENDED = '2026-01-31T12:00:35.000Z';

const jobEvent = z
  .object({ type: z.enum(JOB_EVENTS), timestamp: moment('When the job ended.', ENDED), data: jobSchema })
  .meta({ id: 'JobEvent', description: 'The end of a job. `data` is the job as it was then.' });

const batchEvent = z
  .object({ type: z.enum(BATCH_EVENTS), timestamp: moment('When its last job ended.', ENDED), data: endedBatchSchema })
  .meta({ id: 'BatchEvent', description: 'The end of a batch.' });

const watchEvent = z
  .object({
    type: z.enum(WATCH_EVENTS),
    timestamp: moment('When it happened.', ENDED),
    data: z.object({
      watchId,
      client: text('The client of the watch.', 'shop'),
      file: watchedFileSchema
        .optional()
        .meta({ description: 'For `watch.needs_attention`: one of the files, and why it failed.' }),
      files: count('For `watch.needs_attention`: how many files wait for you now.', 3).optional(),
      stopped: watchedFailureSchema.optional().meta({ description: 'For `watch.stopped`: the reason.' }),
      folder: text('The folder of the watch.', 'in/').optional(),
    }),
  })
  .meta({
    id: 'WatchEvent',
    description:
      '`watch.needs_attention`: files were not converted, and wait for a person; at most one event a minute for each watch, and ' +
      'none while it is paused. `watch.unreachable`: the folder cannot be read. `watch.reachable`: it can be read again. `watch.stopped`: the client may ' +
      'no longer do what the watch does.',
  });

const testEvent = z
  .object({
    type: z.literal(TEST_EVENT),
    timestamp: moment('When it was requested.', ENDED),
    data: z.object({ webhookId, client: text('The client that requested it.') }),
  })
  .meta({ id: 'TestEvent', description: 'An event that the client has requested.' });

export const webhookEventSchema = z.discriminatedUnion('type', [jobEvent, batchEvent, watchEvent, testEvent]).meta({
  id: 'WebhookEvent',
  description:
    'What the service sends to a webhook or a `callbackUrl`. Ignore types that you do not know: later versions of the service add some.',
});

/** The header fields of a webhook request (Standard Webhooks). */
export const WEBHOOK_HEADERS = z.object({
  'webhook-id': text('The id of the event, also of repeats and replays.', 'msg_0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e14'),
  'webhook-timestamp': text('When the request was signed, in seconds since 1970.', '1769860835'),
  'webhook-signature': text(
    'The signatures of `webhook-id`, `webhook-timestamp` and the body as it arrived, with a point between them: one by each secret ' +
      'that signs now, separated by spaces. Each is `v1,` and the HMAC-SHA256 in Base64. The key is the part of the secret after ' +
      '`whsec_`, decoded from Base64.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
});

interface WebhookRequest {
  readonly summary: string;
  readonly schema: z.ZodType;
  /** The bodies of events by their types. Without them, a page would show the first value of each enumeration: a completed job that is PENDING. */
  readonly examples: Readonly<Record<string, unknown>>;
}

/** Events by their types: `job.completed` of `{ completed: data }`. */
const events = (kind: string, data: Readonly<Record<string, unknown>>): WebhookRequest['examples'] =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      `${kind}.${name}`,
      { type: `${kind}.${name}`, timestamp: ENDED, data: value },
    ]),
  );

const WATCH = { watchId: EXAMPLE_WATCH_ID, client: 'shop' };
const IN_FOLDER = { ...WATCH, folder: 'in/' };

/** The requests that the service sends to receivers. The keys are their names in the OpenAPI document. */
export const WEBHOOK_REQUESTS = {
  jobEnded: {
    summary: 'A job has ended',
    schema: jobEvent,
    get examples() {
      return events('job', endedExamples());
    },
  },
  batchEnded: {
    summary: 'All jobs of a batch have ended',
    schema: batchEvent,
    get examples() {
      return events('batch', endedBatchExamples());
    },
  },
  watch: {
    summary: 'Something has happened to a watched folder',
    schema: watchEvent,
    examples: events('watch', {
      needs_attention: {
        ...WATCH,
        file: EXAMPLE_WATCHED_FILE,
        files: 3,
      },
      unreachable: IN_FOLDER,
      reachable: IN_FOLDER,
      stopped: {
        ...WATCH,
        stopped: {
          code: 'INSUFFICIENT_SCOPE',
          message:
            'A watch that moves or deletes its files needs the scope files:write, which its client "shop" does not have.',
          fix: 'Let the operator give it to the client, or give the watch "source": "keep".',
        },
      },
    }),
  },
  test: {
    summary: 'A test that the client has requested',
    schema: testEvent,
    examples: events('webhook', {
      test: { webhookId: '0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e12', client: 'shop' },
    }),
  },
} as const satisfies Readonly<Record<string, WebhookRequest>>;
