import type { JobStatus } from './states.ts';

/**
 * The types of events that clients can receive. `webhook.test` is sent on request only. Receivers must ignore types that
 * they do not know, because later versions add some.
 */
export const WEBHOOK_EVENTS = [
  ...(['job.completed', 'job.failed', 'job.cancelled'] as const),
  ...(['batch.completed', 'batch.failed', 'batch.cancelled'] as const),
] as const;

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** The type of the event that a client requests to test an endpoint. */
export const TEST_EVENT = 'webhook.test';

/** The type of a delivered event. */
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

const EVENT_OF_STATUS = {
  COMPLETED: 'job.completed',
  FAILED: 'job.failed',
  CANCELLED: 'job.cancelled',
} as const satisfies Partial<Record<JobStatus, WebhookEvent>>;

/** The event of a job that ended. */
export const eventOfEnd = (status: keyof typeof EVENT_OF_STATUS): WebhookEvent => EVENT_OF_STATUS[status];

const EVENT_OF_BATCH: Partial<Record<JobStatus, WebhookEvent>> = {
  COMPLETED: 'batch.completed',
  FAILED: 'batch.failed',
  CANCELLED: 'batch.cancelled',
};

/** The event of a batch with this status. Undefined if it has not ended. */
export const eventOfBatch = (status: JobStatus): WebhookEvent | undefined => EVENT_OF_BATCH[status];

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
