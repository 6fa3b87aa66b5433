import { v7 as uuid } from 'uuid';
import type { Job } from '../domain/job.ts';
import { type DeliveredEvent, eventOfEnd } from '../domain/webhook.ts';
import type { JobEndWrite } from '../jobs/ports/job-end.ts';
import type { WebhookOutbox } from './ports.ts';

export interface RecordJobEndDeps {
  readonly outbox: Pick<WebhookOutbox, 'endedJob' | 'insert'>;
  /** The content of an event about a job, without secrets. */
  readonly viewOf: (job: Job) => unknown;
}

/**
 * Stores the event of a job that ends, with a delivery to each endpoint of the client that wants it and to the callback of
 * the request. It is in the transaction that ends the job, so that no crash loses one.
 */
export function recordJobEnd({ outbox, viewOf }: RecordJobEndDeps): JobEndWrite {
  return async (tx, end) => {
    const ended = await outbox.endedJob(tx, end);
    if (ended === undefined) return;
    const { job, endpoints } = ended;
    const { jobId, clientId, at } = end;
    const event = eventOfEnd(end.status);
    const { callbackUrl } = job.request;
    const receivers = [
      ...endpoints.filter(({ events }) => events?.includes(event) ?? true).map(({ webhookId }) => ({ webhookId })),
      ...(callbackUrl === undefined ? [] : [{ url: callbackUrl }]),
    ];
    if (receivers.length === 0) return;
    const message = { messageId: newMessageId(), clientId, jobId, event, createdAt: at };
    await outbox.insert(
      tx,
      { ...message, payload: payloadOf(event, at, viewOf(job)) },
      receivers.map((receiver) => ({ deliveryId: uuid(), createdAt: at, receiver })),
    );
  };
}

/** The `webhook-id` of a new event. */
export const newMessageId = (): string => `msg_${uuid()}`;

/** The body of the requests of an event. */
export const payloadOf = (type: DeliveredEvent, timestamp: string, data: unknown): string =>
  JSON.stringify({ type, timestamp, data });
