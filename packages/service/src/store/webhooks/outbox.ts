import type { Job } from '@telecine/contract/domain/job.ts';
import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../jobs/ports/transactions.ts';
import {
  DELIVERY_LIMITS,
  type EndedJob,
  type WebhookDelivery,
  type WebhookOutbox,
} from '../../webhooks/ports/outbox.ts';
import { BATCHES } from '../batches.ts';
import { omitNullish, parseJsonColumn, recordsOf } from '../columns.ts';
import { endedQueuedRow, endedRow, toJob } from '../job-row.ts';
import { countOf, rowsChanged } from '../queries.ts';
import type { Schema } from '../schema.ts';
import { type Database, dbOf, hasRowLocks } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { deliveryClaims } from './claims.ts';
import { deliveryLimits, isUnfinished, lockEvents, removeDeliveries, tooManyUnfinished } from './deliveries.ts';

/**
 * Returns the function that reads the ended batch of a job. It resolves to undefined unless the job was the last one of
 * its batch to end.
 */
function endedBatchReader(database: Pick<Database, 'lock' | 'reader'>): WebhookOutbox['endedBatch'] {
  const { reader } = database;
  const readCallback = compileStatement((p: { batchId: string }) =>
    reader
      .selectFrom('batches')
      .leftJoin('clients', 'clients.client_id', 'batches.client_id')
      .select('batch_id')
      .where('batch_id', '=', p.batchId)
      .where('callback_url', 'is not', null)
      .where('clients.revoked_at', 'is', null),
  );
  return async (tx, batchId, hasEndpoint) => {
    // Read the callback without a lock, because it never changes.
    if (!hasEndpoint && (await readCallback(dbOf(tx), { batchId })).rows.length === 0) return undefined;
    const ofBatch = () => dbOf(tx).selectFrom('jobs').where('batch_id', 'is not', null).where('batch_id', '=', batchId);
    const batch = dbOf(tx).selectFrom('batches').select(BATCHES.columns).where('batch_id', '=', batchId);
    // Keep this order: the first statement locks the batch, so that the second one sees all jobs that have ended.
    const [row, unfinished] = await Promise.all([
      (hasRowLocks(database) ? batch.forUpdate() : batch).executeTakeFirst(),
      ofBatch().select('job_id').where('completed_at', 'is', null).limit(1).executeTakeFirst(),
    ]);
    if (row === undefined || unfinished !== undefined) return undefined;
    // Do not read whole jobs, because their outputs can have 100 MB together. Their requests are smaller, because they
    // came in one request body.
    const jobs = await ofBatch()
      .select(['job_id as jobId', 'name', 'status', 'request', 'error'])
      .orderBy('job_id')
      .execute();
    return {
      ...BATCHES.read(row),
      jobs: jobs.map(({ jobId, name, status, request, error }) => ({
        jobId,
        status,
        request: JSON.parse(request) as Job['request'],
        ...omitNullish({ name, error: parseJsonColumn<Job['error']>(error) }),
      })),
    };
  };
}

const toEndpoint = ({
  webhook_id: webhookId,
  events,
}: {
  readonly webhook_id: string;
  readonly events: string | null;
}) => ({
  webhookId,
  ...omitNullish({ events: parseJsonColumn<readonly WebhookEvent[]>(events) }),
});

/** The maximum number of deliveries that `backlog` counts. */
const COUNTED = 10_000;

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
  /** The endpoints of clients, which are read once for all jobs that one transaction ends. */
  const endpointsByTx = new WeakMap<Tx, Map<string, Promise<EndedJob['endpoints']>>>();
  const endpointsOnce = (tx: Tx, clientId: string): Promise<EndedJob['endpoints']> => {
    const known = endpointsByTx.get(tx) ?? new Map<string, Promise<EndedJob['endpoints']>>();
    endpointsByTx.set(tx, known);
    const endpoints =
      known.get(clientId) ?? readEndpoints(dbOf(tx), { clientId }).then(({ rows }) => rows.map(toEndpoint));
    known.set(clientId, endpoints);
    return endpoints;
  };
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
      const running = endedRow(tx, jobId);
      const row = running ?? endedQueuedRow(tx, jobId);
      const reading = endpointsOnce(tx, clientId);
      const hasCallback = running?.request.includes('"callbackUrl"') ?? endedQueuedRow(tx, jobId)?.has_callback;
      // Return early for most jobs, because they have no receiver.
      if (row !== undefined && !hasCallback && (await reading).length === 0)
        return row.batch_id === null ? undefined : { batchId: row.batch_id, endpoints: [] };
      const [{ rows }, endpoints] = await Promise.all([readJob(db, { jobId }), reading]);
      const job = rows[0] && toJob(rows[0]);
      return job && { job, endpoints, ...omitNullish({ batchId: job.batchId }) };
    },

    endpoints: async (tx, clientId) => (await readEndpoints(dbOf(tx), { clientId })).rows.map(toEndpoint),

    async insert(tx, message, deliveries, limits = DELIVERY_LIMITS) {
      const db = dbOf(tx);
      const storage = await decideStorage(db, message.clientId, deliveries.length, limits);
      if (storage === 'NOT_STORED') return storage;
      const start =
        storage === 'GIVEN_UP'
          ? { state: 'FAILED' as const, ended_at: message.createdAt, reason: tooManyUnfinished(limits.unfinished) }
          : { state: 'PENDING' as const };
      const { messageId, clientId, jobId = null, batchId = null, watchId = null, event, payload, createdAt } = message;
      const of = { job_id: jobId, batch_id: batchId, watch_id: watchId };
      const ids = { message_id: messageId, client_id: clientId, ...of };
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

    async payload(messageId) {
      const row = await reader
        .selectFrom('webhook_messages')
        .select('payload')
        .where('message_id', '=', messageId)
        .executeTakeFirst();
      return row?.payload;
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
        const copy = db
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
          );
        return (await rowsChanged(db, copy)) > 0 ? 'DUE' : 'FORGOTTEN';
      }),

    makeDue: (deliveryId) =>
      write(async (db) => {
        const waiting = db
          .updateTable('webhook_deliveries')
          .set({
            planned_at: sql<
              string | null
            >`case when due_at > ${now()} then coalesce(planned_at, due_at) else planned_at end`,
            // Keep the time of an overdue delivery: claims take the one with the earliest time first.
            due_at: sql<string>`case when due_at > ${now()} then ${now()} else due_at end`,
          })
          .where('delivery_id', '=', deliveryId)
          .where(isUnfinished)
          .where('is_leased', '=', 0);
        return (await rowsChanged(db, waiting)) === 1;
      }),

    removeEndedBefore: (before) => removeDeliveries(database, (e) => e('ended_at', '<', before)),

    async backlog() {
      const pending = reader.selectFrom('webhook_deliveries').where(isUnfinished);
      const deliveries = await countOf(reader, pending.select('created_at').limit(COUNTED));
      const oldest = await pending.select('created_at').orderBy('created_at').limit(1).executeTakeFirst();
      const oldestSeconds = oldest === undefined ? 0 : Math.max(0, (Date.now() - Date.parse(oldest.created_at)) / 1000);
      return { deliveries, oldestSeconds };
    },
  };
}

const COPIED = ['message_id', 'client_id', 'job_id', 'batch_id', 'watch_id', 'webhook_id', 'url', 'receiver'] as const;

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
