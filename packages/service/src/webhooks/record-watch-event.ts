import type { WatchEvent, WatchEventData } from '@telecine/contract/domain/webhook.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { WebhookMessage, WebhookOutbox } from './ports/outbox.ts';
import { type RecordEventDeps, recordEvent } from './record-job-end.ts';

/** What has happened to a watch. */
interface WatchEventToRecord extends Pick<WebhookMessage, 'clientId' | 'watchId' | 'jobId'> {
  readonly event: WatchEvent;
  readonly at: string;
  /** Returns the content without secrets. Only called if there is a receiver. */
  readonly data: () => WatchEventData;
}

/** Stores the event of a watch in the transaction of its cause. Stores nothing if no endpoint wants it. */
export const recordWatchEvent =
  (deps: RecordEventDeps & { readonly outbox: Pick<WebhookOutbox, 'endpoints'> }) =>
  async (tx: Tx, { data, ...of }: WatchEventToRecord): Promise<void> => {
    const endpoints = await deps.outbox.endpoints(tx, of.clientId);
    const content = () => ({ type: of.event, timestamp: of.at, data: data() });
    await recordEvent(deps, tx, { ...of, callbackUrl: undefined, endpoints, content });
  };
