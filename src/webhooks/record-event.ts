import { v7 as uuid } from 'uuid';
import type { EventContent, WebhookEvent } from '../domain/webhook.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { EndedJob, EventStorage, WebhookMessage, WebhookOutbox } from './ports.ts';

/** An event, and who receives it. */
export interface EventToRecord extends Pick<WebhookMessage, 'clientId' | 'jobId' | 'batchId'> {
  readonly event: WebhookEvent;
  /** When it happened. */
  readonly at: string;
  /** Called only if there is a receiver. */
  readonly content: () => EventContent;
  readonly endpoints: EndedJob['endpoints'];
  readonly callbackUrl: string | undefined;
}

export interface RecordEventDeps {
  readonly outbox: Pick<WebhookOutbox, 'insert'>;
  /** Called if the client has too many deliveries. The transaction may run again after it. */
  readonly onOverLimit: (clientId: string, storage: Exclude<EventStorage, 'DUE'>) => void;
}

/** Stores an event with a delivery to each endpoint that wants it and to the callback. Without receivers, stores nothing. */
export async function recordEvent(
  { outbox, onOverLimit }: RecordEventDeps,
  tx: Tx,
  { event, at, content, endpoints, callbackUrl, ...of }: EventToRecord,
): Promise<void> {
  const receivers = [
    ...endpoints.filter(({ events }) => events?.includes(event) ?? true).map(({ webhookId }) => ({ webhookId })),
    ...(callbackUrl === undefined ? [] : [{ url: callbackUrl }]),
  ];
  if (receivers.length === 0) return;
  const storage = await outbox.insert(
    tx,
    { ...of, messageId: newMessageId(), event, createdAt: at, payload: payloadOf(content()) },
    receivers.map((receiver) => ({ deliveryId: uuid(), createdAt: at, receiver })),
  );
  if (storage !== 'DUE') onOverLimit(of.clientId, storage);
}

/** The `webhook-id` of a new event. */
export const newMessageId = (): string => `msg_${uuid()}`;

/** The body of the requests of an event. */
export const payloadOf = (content: EventContent): string => JSON.stringify(content);
