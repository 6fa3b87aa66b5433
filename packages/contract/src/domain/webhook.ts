import type { Shape } from '../wire/shape.ts';
import type { webhookEventSchema } from '../wire/webhook-event.ts';
import { leaveOut } from './edit.ts';
import type { EditsWithAction } from './hint.ts';
import type { JobStatus } from './states.ts';

export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.cancelled'] as const;
export const BATCH_EVENTS = ['batch.completed', 'batch.failed', 'batch.cancelled'] as const;

/** The events that clients can subscribe to. Receivers must ignore unknown types, because later versions add some. */
export const WEBHOOK_EVENTS = [...JOB_EVENTS, ...BATCH_EVENTS] as const;

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const TEST_EVENT = 'webhook.test';

export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/** The body of the requests of an event. */
export type EventContent = Shape<typeof webhookEventSchema>;

/** What an event about a job, or about a batch, says of it. */
export type JobEventData = Extract<EventContent, { data: { attempt: number } }>['data'];
export type BatchEventData = Extract<EventContent, { data: { jobs: unknown } }>['data'];

const ENDS = { COMPLETED: 'completed', FAILED: 'failed', CANCELLED: 'cancelled' } as const;
const isEnd = (status: JobStatus): status is keyof typeof ENDS => Object.hasOwn(ENDS, status);

/** The event of a job that ended. */
export const eventOfEnd = (status: keyof typeof ENDS) => `job.${ENDS[status]}` as const;

/** The event of a batch with this status. Undefined if it has not ended. */
export const eventOfBatch = (status: JobStatus) => (isEnd(status) ? (`batch.${ENDS[status]}` as const) : undefined);

export const isBatchEvent = (event: WebhookEvent): boolean => event.startsWith('batch.');

/** The most unfinished deliveries of a client. Those above are given up at once, and can be replayed. */
export const MAX_UNFINISHED_DELIVERIES = 100_000;

/** The most deliveries of a client that are stored after they were given up without an attempt. Further events are not stored. */
export const MAX_UNSENT_DELIVERIES = 100_000;

/** The longest URL of a receiver, in characters. */
export const MAX_URL_LENGTH = 2048;

/** An address of mail in place of a URL. */
export const MAIL = /^mailto:|^[^\s/@:]{1,64}@[\w.-]{1,255}$/i;

/** The fix for an address of mail that should get the end of a job. */
export const NO_MAIL: EditsWithAction = {
  ...leaveOut(undefined, 'no mail is sent'),
  note: 'For the end of the job:',
  action: { do: 'wait-for-job', jobId: 'JOB_ID' },
};
