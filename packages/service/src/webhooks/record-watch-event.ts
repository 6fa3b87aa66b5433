import type { EventContent } from '@telecine/contract/domain/webhook.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { WebhookOutbox } from './ports/outbox.ts';
import { type RecordEventDeps, recordEvent } from './record-job-end.ts';

/** Stores the event of a watch, without secrets. Stores nothing if no endpoint wants it. */
export const recordWatchEvent =
  (deps: RecordEventDeps & { readonly outbox: Pick<WebhookOutbox, 'endpoints'> }) =>
  async (tx: Tx, content: Extract<EventContent, { data: { watchId: string } }>): Promise<void> => {
    const { type: event, timestamp: at, data } = content;
    const of = { clientId: data.client, watchId: data.watchId, event, at, callbackUrl: undefined };
    const endpoints = await deps.outbox.endpoints(tx, of.clientId);
    await recordEvent(deps, tx, { ...of, endpoints, content: () => content });
  };
