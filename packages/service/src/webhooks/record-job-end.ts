import { batchStatus, countJobs, type EndedBatch } from '@telecine/contract/domain/batch.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import {
  type BatchEventData,
  type EventContent,
  eventOfBatch,
  eventOfEnd,
  isBatchEvent,
  type JobEventData,
  type WebhookEvent,
} from '@telecine/contract/domain/webhook.ts';
import { v7 as uuid } from 'uuid';
import type { JobEndWrite } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { EndedJob, EventStorage, WebhookMessage, WebhookOutbox } from './ports/outbox.ts';

interface EventToRecord extends Pick<WebhookMessage, 'clientId' | 'jobId' | 'batchId' | 'watchId'> {
  readonly event: WebhookEvent;
  readonly at: string;
  /** Creates the content of the event. Only called if there is a receiver. */
  readonly content: () => EventContent;
  readonly endpoints: EndedJob['endpoints'];
  readonly callbackUrl: string | undefined;
}

export interface RecordEventDeps {
  readonly outbox: Pick<WebhookOutbox, 'insert'>;
  /** Called if the client has too many deliveries. The transaction may run again after this call. */
  readonly onOverLimit: (clientId: string, storage: Exclude<EventStorage, 'DUE'>) => void;
}

/**
 * Stores an event, with a delivery for the callback and for each endpoint that wants it. Stores nothing if there are
 * none.
 */
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

/** Returns the `webhook-id` for a new event. */
export const newMessageId = (): string => `msg_${uuid()}`;

export const payloadOf = (content: EventContent): string => JSON.stringify(content);

interface RecordJobEndDeps extends Pick<RecordEventDeps, 'onOverLimit'> {
  readonly outbox: Pick<WebhookOutbox, 'endedJob' | 'endedBatch' | 'insert'>;
  /** Returns the content of an event about a job, without secrets. */
  readonly viewOf: (job: Job) => JobEventData;
  /** Returns the content of an event about a batch, without secrets. */
  readonly viewOfBatch: (batch: EndedBatch) => BatchEventData;
}

/**
 * Stores the events of jobs that end, and of batches whose last job is among them. Runs in the transaction that ends the
 * jobs, and locks the batches; see `EndWrites`. Returns the jobs that have something to deliver.
 */
export function recordJobEnd(
  deps: RecordJobEndDeps,
): (...end: Parameters<JobEndWrite>) => Promise<ReadonlySet<string>> {
  const { outbox, viewOf } = deps;
  return async (tx, ends) => {
    const delivered = new Set<string>();
    const batches = new Map<string, { readonly endpoints: EndedJob['endpoints']; readonly at: string }>();
    for (const end of ends) {
      const ended = await outbox.endedJob(tx, end);
      if (ended === undefined) continue;
      const { job, batchId, endpoints } = ended;
      const { jobId, clientId, at } = end;
      delivered.add(jobId);
      if (batchId !== undefined) batches.set(batchId, { endpoints, at });
      if (job === undefined) continue;
      const event = eventOfEnd(end.status);
      await recordEvent(deps, tx, {
        ...{ clientId, jobId, at, endpoints, event },
        content: () => ({ type: event, timestamp: at, data: viewOf(job) }),
        callbackUrl: job.request.callbackUrl,
      });
    }
    // Sorted, so that all transactions lock the batches in the same order.
    for (const [batchId, { endpoints, at }] of [...batches].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await recordBatchEnd(deps, tx, batchId, endpoints, at);
    return delivered;
  };
}

async function recordBatchEnd(
  deps: RecordJobEndDeps,
  tx: Tx,
  batchId: string,
  endpoints: EndedJob['endpoints'],
  at: string,
): Promise<void> {
  const { outbox, viewOfBatch } = deps;
  const hasEndpoint = endpoints.some(({ events }) => events?.some(isBatchEvent) ?? true);
  const batch = await outbox.endedBatch(tx, batchId, hasEndpoint);
  if (batch === undefined) return;
  const { clientId, callbackUrl } = batch;
  const event = eventOfBatch(batchStatus(countJobs(batch.jobs)));
  if (event === undefined) return;
  const content = () => ({ type: event, timestamp: at, data: viewOfBatch(batch) });
  await recordEvent(deps, tx, { ...{ clientId, batchId, at, endpoints, callbackUrl }, event, content });
}
