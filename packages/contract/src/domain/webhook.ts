import type { Shape } from '../wire/shape.ts';
import type { webhookEventSchema } from '../wire/webhook-event.ts';
import type { JobStatus } from './states.ts';

export const JOB_EVENTS = ['job.completed', 'job.failed', 'job.cancelled'] as const;
export const BATCH_EVENTS = ['batch.completed', 'batch.failed', 'batch.cancelled'] as const;

export const WATCH_EVENTS = ['watch.needs_attention', 'watch.unreachable', 'watch.reachable', 'watch.stopped'] as const;

export type WatchEvent = (typeof WATCH_EVENTS)[number];

/** The events that clients can subscribe to. Receivers must ignore unknown types, because later versions add events. */
export const WEBHOOK_EVENTS = [...JOB_EVENTS, ...BATCH_EVENTS, ...WATCH_EVENTS] as const;

/** An event that an endpoint can subscribe to. */
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const TEST_EVENT = 'webhook.test';

export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/** The body of each request that delivers an event. */
export type EventContent = Shape<typeof webhookEventSchema>;

/** The data of an event about a job or a batch. */
export type JobEventData = Extract<EventContent, { data: { attempt: number } }>['data'];
export type BatchEventData = Extract<EventContent, { data: { jobs: unknown } }>['data'];

/** The data of an event about a watch. */
export type WatchEventData = Extract<EventContent, { data: { watchId: string } }>['data'];

const ENDS = { COMPLETED: 'completed', FAILED: 'failed', CANCELLED: 'cancelled' } as const;
const isEnd = (status: JobStatus): status is keyof typeof ENDS => Object.hasOwn(ENDS, status);

export const eventOfEnd = (status: keyof typeof ENDS) => `job.${ENDS[status]}` as const;

/** The event for a batch with this status. undefined: the batch has not ended. */
export const eventOfBatch = (status: JobStatus) => (isEnd(status) ? (`batch.${ENDS[status]}` as const) : undefined);

export const isBatchEvent = (event: WebhookEvent): boolean => event.startsWith('batch.');

/** The maximum number of unfinished deliveries of a client. Further deliveries are given up at once, and can be replayed. */
export const MAX_UNFINISHED_DELIVERIES = 100_000;

/** The maximum number of stored deliveries of a client that were given up without an attempt. Further events are not stored. */
export const MAX_UNSENT_DELIVERIES = 100_000;

/** For how long after its creation a delivery is attempted, in seconds. */
export const GIVE_UP_SECONDS = 24 * 3600;

/** The maximum length of a receiver's URL, in characters. */
export const MAX_URL_LENGTH = 2048;
