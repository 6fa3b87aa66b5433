import { type Selectable, sql } from 'kysely';
import type { WebhookEvent } from '../../domain/webhook.ts';
import { DELIVERY_LIMITS, type WebhookDelivery, type WebhookOutbox } from '../../webhooks/ports.ts';
import { omitNullish, parseJsonColumn } from '../columns.ts';
import { endedRow, toJob } from '../job-row.ts';
import { countOfRows } from '../queries.ts';
import type { WebhookDeliveriesTable } from '../schema.ts';
import type { Database } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { dbOf } from '../transaction/tx.ts';
import { deliveryClaims } from './claims.ts';
import { deliveryLimits, isUnfinished, tooManyUnfinished } from './delivery-limits.ts';
import { endedBatchReader } from './ended-batch.ts';
import { lockEvents, removeDeliveries } from './remove-deliveries.ts';

/** The most deliveries that `backlog` counts. */
const COUNTED = 10_000;

/** The repository of deliveries: the outbox and its log. */
export function webhookOutbox(database: Database): WebhookOutbox {
  const { reader, write, now } = database;
  const readJob = compileStatement((p: { jobId: string }) =>
    reader
      .selectFrom('jobs')
      .leftJoin('clients', 'clients.client_id', 'jobs.client_id')
      .selectAll('jobs')
      .where('jobs.job_id', '=', p.jobId)
      .where('clients.revoked_at', 'is', null),
  );
  const readEndpoints = compileStatement((p: { clientId: string }) =>
    reader
      .selectFrom('webhook_endpoints')
      .select(['webhook_id', 'events'])
      .where('client_id', '=', p.clientId)
      .where('disabled_at', 'is', null)
      .orderBy('webhook_id'),
  );
  const selectDeliveries = () =>
    reader
      .selectFrom('webhook_deliveries as d')
      .innerJoin('webhook_messages as m', 'm.message_id', 'd.message_id')
      .selectAll('d')
      .select('m.event');

  const page = async (
    column: 'd.webhook_id' | 'd.job_id' | 'd.batch_id',
    id: string,
    { limit, before, state }: Parameters<WebhookOutbox['ofJob']>[1],
  ) => {
    // The first condition is in the SQL text, so that SQLite uses the partial index of batches.
    let query = selectDeliveries()
      .where(column, 'is not', null)
      .where(column, '=', id)
      .orderBy('d.delivery_id', 'desc')
      .limit(limit);
    if (before !== undefined) query = query.where('d.delivery_id', '<', before);
    if (state !== undefined) query = query.where('d.state', '=', state);
    return (await query.execute()).map(toDelivery);
  };

  const decideStorage = deliveryLimits();

  return {
    ...deliveryClaims(database),
    endedBatch: endedBatchReader(database),

    async endedJob(tx, { jobId, clientId }) {
      const db = dbOf(tx);
      const row = endedRow(tx, jobId);
      const reading = readEndpoints(db, { clientId });
      // Nobody receives an event of most jobs.
      if (row !== undefined && row.batch_id === null && !row.request.includes('"callbackUrl"'))
        if ((await reading).rows.length === 0) return undefined;
      const [jobs, endpoints] = await Promise.all([readJob(db, { jobId }), reading]);
      const [job] = jobs.rows;
      return (
        job && {
          job: toJob(job),
          endpoints: endpoints.rows.map(({ webhook_id: webhookId, events }) => ({
            webhookId,
            ...omitNullish({ events: parseJsonColumn<readonly WebhookEvent[]>(events) }),
          })),
        }
      );
    },

    async insert(tx, message, deliveries, limits = DELIVERY_LIMITS) {
      const db = dbOf(tx);
      const storage = await decideStorage(db, message.clientId, deliveries.length, limits);
      if (storage === 'NOT_STORED') return storage;
      const start =
        storage === 'GIVEN_UP'
          ? { state: 'FAILED' as const, ended_at: message.createdAt, reason: tooManyUnfinished(limits.unfinished) }
          : { state: 'PENDING' as const };
      const { messageId, clientId, jobId = null, batchId = null, event, payload, createdAt } = message;
      const ids = { message_id: messageId, client_id: clientId, job_id: jobId, batch_id: batchId };
      await Promise.all([
        db
          .insertInto('webhook_messages')
          .values({ ...ids, event, payload, created_at: createdAt })
          .execute(),
        db
          .insertInto('webhook_deliveries')
          .values(
            deliveries.map(({ deliveryId, createdAt: at, receiver }) => ({
              ...ids,
              ...start,
              delivery_id: deliveryId,
              due_at: now(),
              created_at: at,
              ...('url' in receiver
                ? { url: receiver.url, receiver: `${clientId}/${new URL(receiver.url).origin}` }
                : { webhook_id: receiver.webhookId, receiver: `${clientId}/${receiver.webhookId}` }),
            })),
          )
          .execute(),
      ]);
      return storage;
    },

    async get(clientId, deliveryId) {
      const row = await selectDeliveries()
        .where('d.delivery_id', '=', deliveryId)
        .where('d.client_id', '=', clientId)
        .executeTakeFirst();
      return row && toDelivery(row);
    },

    ofEndpoint: (webhookId, query) => page('d.webhook_id', webhookId, query),
    ofJob: (jobId, query) => page('d.job_id', jobId, query),
    ofBatch: (batchId, query) => page('d.batch_id', batchId, query),

    replay: (deliveryId, { deliveryId: newId, createdAt }, limits = DELIVERY_LIMITS) =>
      write(async (db) => {
        await lockEvents(database, db);
        const original = await db
          .selectFrom('webhook_deliveries')
          .select('client_id')
          .where('delivery_id', '=', deliveryId)
          .executeTakeFirst();
        if (original === undefined) return 'FORGOTTEN';
        if ((await decideStorage(db, original.client_id, 1, { ...limits, unsent: 0 })) !== 'DUE') return 'NO_ROOM';
        const text = (value: string) => sql<string>`cast(${value} as text)`;
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('webhook_deliveries')
          .columns([...COPIED, 'delivery_id', 'state', 'due_at', 'created_at'])
          .expression(
            db
              .selectFrom('webhook_deliveries as d')
              .innerJoin('webhook_messages as m', 'm.message_id', 'd.message_id')
              .select(COPIED.map((name) => `d.${name}` as const))
              .select([
                text(newId).as('new_id'),
                sql.lit('PENDING').as('state'),
                sql<string>`${now()}`.as('due_at'),
                text(createdAt).as('created_at'),
              ])
              .where('d.delivery_id', '=', deliveryId),
          )
          .executeTakeFirst();
        return (numInsertedOrUpdatedRows ?? 0n) > 0n ? 'DUE' : 'FORGOTTEN';
      }),

    removeEndedBefore: (before) => removeDeliveries(database, (e) => e('ended_at', '<', before)),

    async backlog() {
      const pending = reader.selectFrom('webhook_deliveries').where(isUnfinished);
      const counted = pending.select('created_at').limit(COUNTED).as('counted');
      const { count: deliveries } = await reader.selectFrom(counted).select(countOfRows).executeTakeFirstOrThrow();
      const oldest = await pending.select('created_at').orderBy('created_at').limit(1).executeTakeFirst();
      const oldestSeconds = oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest.created_at)) / 1000);
      return { deliveries, oldestSeconds };
    },
  };
}

/** What a replay has of its original. */
const COPIED = ['message_id', 'client_id', 'job_id', 'batch_id', 'webhook_id', 'url', 'receiver'] as const;

type DeliveryRow = Selectable<WebhookDeliveriesTable> & { readonly event: WebhookDelivery['event'] };

function toDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    deliveryId: row.delivery_id,
    messageId: row.message_id,
    clientId: row.client_id,
    event: row.event,
    state: row.state,
    createdAt: row.created_at,
    attemptCount: row.attempt_count,
    attempts: parseJsonColumn<WebhookDelivery['attempts']>(row.attempts) ?? [],
    ...omitNullish({
      jobId: row.job_id,
      batchId: row.batch_id,
      webhookId: row.webhook_id,
      nextAttemptAt: row.state === 'PENDING' ? row.due_at : null,
      endedAt: row.ended_at,
      reason: row.reason,
    }),
  };
}
