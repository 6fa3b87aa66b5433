import type { Shape } from '../wire/shape.ts';
import type { webhookEventSchema } from '../wire/webhook-event.ts';
import type { JobStatus } from './states.ts';

export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.cancelled'] as const;
export const BATCH_EVENTS = ['batch.completed', 'batch.failed', 'batch.cancelled'] as const;

/**
 * The types of events that clients can receive. `webhook.test` is sent on request only. Receivers must ignore types that
 * they do not know, because later versions add some.
 */
export const WEBHOOK_EVENTS = [...JOB_EVENTS, ...BATCH_EVENTS] as const;

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The type of the event that a client requests to test an endpoint. */
export const TEST_EVENT = 'webhook.test';

/** The type of a delivered event. */
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

/**
 * The most deliveries of a client that are kept after they were given up without an attempt. Further events are not stored, so
 * that a client whose receivers are broken does not fill the disk.
 */
export const MAX_UNSENT_DELIVERIES = 100_000;

/** The longest URL of a receiver, in characters. */
export const MAX_URL_LENGTH = 2048;
