import type { EventContent, WatchEvent, WatchEventData } from '@telecine/contract/domain/webhook.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { WebhookOutbox } from './ports/outbox.ts';
import { type RecordEventDeps, recordEvent } from './record-job-end.ts';

/** What has happened to a watch. */
export interface WatchEventToRecord {
  readonly clientId: string;
  readonly watchId: string;
  /** The job of the file that the event is about. */
  readonly jobId?: string;
  readonly event: WatchEvent;
  readonly at: string;
  /** Returns the content without secrets. Only called if there is a receiver. */
  readonly data: () => WatchEventData;
}

interface RecordWatchEventDeps extends Pick<RecordEventDeps, 'onOverLimit'> {
  readonly outbox: Pick<WebhookOutbox, 'endpoints' | 'insert'>;
}

/** Stores the event of a watch in the transaction of its cause. Stores nothing if no endpoint wants it. */
export const recordWatchEvent =
  (deps: RecordWatchEventDeps) =>
  async (tx: Tx, { data, ...of }: WatchEventToRecord): Promise<void> =>
    recordEvent(deps, tx, {
      ...of,
      callbackUrl: undefined,
      endpoints: await deps.outbox.endpoints(tx, of.clientId),
      content: () => ({ type: of.event, timestamp: of.at, data: data() }) satisfies EventContent,
    });
