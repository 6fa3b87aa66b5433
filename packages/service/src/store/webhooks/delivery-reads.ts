import type { Selectable } from 'kysely';
import type { DeliveryQuery, WebhookDelivery, WebhookOutbox } from '../../webhooks/ports/outbox.ts';
import { recordsOf } from '../columns.ts';
import { countOf } from '../queries.ts';
import type { Schema } from '../schema.ts';
import type { Database, Db } from '../transaction/database.ts';
import { isUnfinished } from './deliveries.ts';

const DELIVERIES = recordsOf<Omit<WebhookDelivery, 'event' | 'nextAttemptAt'>, Schema['webhook_deliveries']>()({
  deliveryId: 'delivery_id',
  messageId: 'message_id',
  clientId: 'client_id',
  jobId: 'job_id',
  batchId: 'batch_id',
  watchId: 'watch_id',
  webhookId: 'webhook_id',
  state: 'state',
  createdAt: 'created_at',
  endedAt: 'ended_at',
  reason: 'reason',
  attemptCount: 'attempt_count',
  attempts: { json: 'attempts' },
});

const toDelivery = (
  row: Selectable<Schema['webhook_deliveries']> & { readonly event: WebhookDelivery['event'] },
): WebhookDelivery => ({
  ...{ event: row.event, attempts: [] },
  ...DELIVERIES.read(row),
  ...(row.state === 'PENDING' && { nextAttemptAt: row.due_at }),
});

/** The maximum number of deliveries that `backlog` counts. */
const COUNTED = 10_000;

/** Reads the log of deliveries. */
export const deliveryReads = ({ reader }: Pick<Database, 'reader'>) =>
  ({
    async get(clientId, deliveryId) {
      const row = await selectDeliveries(reader)
        .where('d.delivery_id', '=', deliveryId)
        .where('d.client_id', '=', clientId)
        .executeTakeFirst();
      return row && toDelivery(row);
    },

    async payload(messageId) {
      const row = await reader
        .selectFrom('webhook_messages')
        .select('payload')
        .where('message_id', '=', messageId)
        .executeTakeFirst();
      return row?.payload;
    },

    ofEndpoint: (webhookId, query) => readPage(reader, 'd.webhook_id', webhookId, query),
    ofJob: (jobId, query) => readPage(reader, 'd.job_id', jobId, query),
    ofBatch: (batchId, query) => readPage(reader, 'd.batch_id', batchId, query),

    async backlog() {
      const pending = reader.selectFrom('webhook_deliveries').where(isUnfinished);
      const deliveries = await countOf(reader, pending.select('created_at').limit(COUNTED));
      const oldest = await pending.select('created_at').orderBy('created_at').limit(1).executeTakeFirst();
      const oldestSeconds = oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest.created_at)) / 1000);
      return { deliveries, oldestSeconds };
    },
  }) satisfies Partial<WebhookOutbox>;

const selectDeliveries = (reader: Db) =>
  reader
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_messages as m', 'm.message_id', 'd.message_id')
    .selectAll('d')
    .select('m.event');

async function readPage(
  reader: Db,
  column: 'd.webhook_id' | 'd.job_id' | 'd.batch_id',
  id: string,
  { limit, before, state }: DeliveryQuery,
): Promise<readonly WebhookDelivery[]> {
  // The first condition is in the SQL text, so that SQLite uses the partial index of batches.
  let query = selectDeliveries(reader)
    .where(column, 'is not', null)
    .where(column, '=', id)
    .orderBy('d.delivery_id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('d.delivery_id', '<', before);
  if (state !== undefined) query = query.where('d.state', '=', state);
  return (await query.execute()).map(toDelivery);
}
