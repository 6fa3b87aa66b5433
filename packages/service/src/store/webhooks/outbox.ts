import type { EndedBatch } from '@telecine/contract/domain/batch.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { WebhookEvent } from '@telecine/contract/domain/webhook.ts';
import { type Expression, type InsertObject, sql } from 'kysely';
import type { Tx } from '../../jobs/ports/transactions.ts';
import {
  DELIVERY_LIMITS,
  type EndedJob,
  type NewDelivery,
  type WebhookMessage,
  type WebhookOutbox,
} from '../../webhooks/ports/outbox.ts';
import { BATCHES } from '../batches.ts';
import { omitNullish, parseJsonColumn } from '../columns.ts';
import { endedQueuedRow, endedRow, toJob } from '../job-row.ts';
import { findRow, rowsChanged } from '../queries.ts';
import type { Schema } from '../schema.ts';
import { type Database, type Db, dbOf, hasRowLocks } from '../transaction/database.ts';
import { compileStatement } from '../transaction/statement.ts';
import { deliveryClaims } from './claims.ts';
import { deliveryLimits, isUnfinished, lockEvents, removeDeliveries, tooManyUnfinished } from './deliveries.ts';
import { deliveryReads } from './delivery-reads.ts';

const readCallback = compileStatement((db, p: { batchId: string }) =>
  db
    .selectFrom('batches')
    .leftJoin('clients', 'clients.client_id', 'batches.client_id')
    .select('batch_id')
    .where('batch_id', '=', p.batchId)
    .where('callback_url', 'is not', null)
    .where('clients.revoked_at', 'is', null),
);

/** Reads the ended batch of a job. undefined: the job was not the last one of its batch to end. */
async function readEndedBatch(
  db: Db,
  batchId: string,
  hasEndpoint: boolean,
  locksRows: boolean,
): Promise<EndedBatch | undefined> {
  // Read the callback without a lock, because it never changes.
  if (!hasEndpoint && (await readCallback(db, { batchId })).rows.length === 0) return undefined;
  const ofBatch = () => db.selectFrom('jobs').where('batch_id', 'is not', null).where('batch_id', '=', batchId);
  const batch = db.selectFrom('batches').select(BATCHES.columns).where('batch_id', '=', batchId);
  // Keep this order: the first statement locks the batch, so that the second one sees all jobs that have ended.
  const [row, unfinished] = await Promise.all([
    (locksRows ? batch.forUpdate() : batch).executeTakeFirst(),
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

const readJob = compileStatement((db, p: { jobId: string }) =>
  db
    .selectFrom('jobs')
    .leftJoin('clients', 'clients.client_id', 'jobs.client_id')
    .selectAll('jobs')
    .where('jobs.job_id', '=', p.jobId)
    .where('clients.revoked_at', 'is', null),
);

const endpointsStatement = compileStatement((db, p: { clientId: string }) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['webhook_id', 'events'])
    .where('client_id', '=', p.clientId)
    .where('disabled_at', 'is', null)
    .orderBy('webhook_id'),
);

const readEndpoints = async (db: Db, clientId: string): Promise<EndedJob['endpoints']> =>
  (await endpointsStatement(db, { clientId })).rows.map(toEndpoint);

/** The endpoints of clients, which are read once for all jobs that one transaction ends. */
const endpointsByTx = new WeakMap<Tx, Map<string, Promise<EndedJob['endpoints']>>>();

function readEndpointsOnce(tx: Tx, clientId: string): Promise<EndedJob['endpoints']> {
  const known = endpointsByTx.get(tx) ?? new Map<string, Promise<EndedJob['endpoints']>>();
  endpointsByTx.set(tx, known);
  const endpoints = known.get(clientId) ?? readEndpoints(dbOf(tx), clientId);
  known.set(clientId, endpoints);
  return endpoints;
}

export function webhookOutbox(database: Database): WebhookOutbox {
  const { write, now } = database;
  const decideStorage = deliveryLimits();

  return {
    ...deliveryClaims(database),
    ...deliveryReads(database),

    endedBatch: (tx, batchId, hasEndpoint) => readEndedBatch(dbOf(tx), batchId, hasEndpoint, hasRowLocks(database)),

    async endedJob(tx, { jobId, clientId }) {
      const db = dbOf(tx);
      const running = endedRow(tx, jobId);
      const row = running ?? endedQueuedRow(tx, jobId);
      const reading = readEndpointsOnce(tx, clientId);
      const hasCallback = running?.request.includes('"callbackUrl"') ?? endedQueuedRow(tx, jobId)?.has_callback;
      // Return early for most jobs, because they have no receiver.
      if (row !== undefined && !hasCallback && (await reading).length === 0)
        return row.batch_id === null ? undefined : { batchId: row.batch_id, endpoints: [] };
      const [{ rows }, endpoints] = await Promise.all([readJob(db, { jobId }), reading]);
      const job = rows[0] && toJob(rows[0]);
      return job && { job, endpoints, ...omitNullish({ batchId: job.batchId }) };
    },

    endpoints: (tx, clientId) => readEndpoints(dbOf(tx), clientId),

    async insert(tx, message, deliveries, limits = DELIVERY_LIMITS) {
      const db = dbOf(tx);
      const storage = await decideStorage(db, message.clientId, deliveries.length, limits);
      if (storage === 'NOT_STORED') return storage;
      const start =
        storage === 'GIVEN_UP'
          ? { state: 'FAILED' as const, ended_at: message.createdAt, reason: tooManyUnfinished(limits.unfinished) }
          : { state: 'PENDING' as const };
      await insertEvent(db, message, deliveries, { ...start, due_at: now() });
      return storage;
    },

    replay: (deliveryId, copy, limits = DELIVERY_LIMITS) =>
      write(async (db) => {
        await lockEvents(database, db);
        const original = await findRow(db, 'webhook_deliveries', { delivery_id: deliveryId });
        if (original === undefined) return 'FORGOTTEN';
        if ((await decideStorage(db, original.client_id, 1, { ...limits, unsent: 0 })) !== 'DUE') return 'NO_ROOM';
        return (await insertCopy(db, deliveryId, copy, now())) ? 'DUE' : 'FORGOTTEN';
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
  };
}

/** Inserts an event with its deliveries. `start`: the columns that all the deliveries begin with. */
async function insertEvent(
  db: Db,
  message: WebhookMessage,
  deliveries: readonly NewDelivery[],
  start: Pick<InsertObject<Schema, 'webhook_deliveries'>, 'state' | 'ended_at' | 'reason' | 'due_at'>,
): Promise<void> {
  const { messageId, clientId, jobId = null, batchId = null, watchId = null, event, payload, createdAt } = message;
  const of = { job_id: jobId, batch_id: batchId, watch_id: watchId };
  const ids = { message_id: messageId, client_id: clientId, ...of };
  const rows = deliveries.map(({ deliveryId, createdAt: at, receiver }) => ({
    ...ids,
    ...start,
    delivery_id: deliveryId,
    created_at: at,
    ...('url' in receiver
      ? { url: receiver.url, receiver: `${clientId}/${new URL(receiver.url).origin}` }
      : { webhook_id: receiver.webhookId, receiver: `${clientId}/${receiver.webhookId}` }),
  }));
  await Promise.all([
    db
      .insertInto('webhook_messages')
      .values({ ...ids, event, payload, created_at: createdAt })
      .execute(),
    db.insertInto('webhook_deliveries').values(rows).execute(),
  ]);
}

const COPIED = ['message_id', 'client_id', 'job_id', 'batch_id', 'watch_id', 'webhook_id', 'url', 'receiver'] as const;

/** Inserts a delivery of the same event to the same receiver. Resolves to false if the event is no longer stored. */
async function insertCopy(
  db: Db,
  originalId: string,
  { deliveryId, createdAt }: Pick<NewDelivery, 'deliveryId' | 'createdAt'>,
  dueAt: Expression<string>,
): Promise<boolean> {
  const text = (value: string) => sql<string>`cast(${value} as text)`;
  const copy = db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_messages as m', 'm.message_id', 'd.message_id')
    .select(COPIED.map((name) => `d.${name}` as const))
    .select([
      text(deliveryId).as('new_id'),
      sql.lit('PENDING').as('state'),
      sql<string>`${dueAt}`.as('due_at'),
      text(createdAt).as('created_at'),
    ])
    .where('d.delivery_id', '=', originalId);
  const columns = [...COPIED, 'delivery_id', 'state', 'due_at', 'created_at'] as const;
  return (await rowsChanged(db, db.insertInto('webhook_deliveries').columns(columns).expression(copy))) > 0;
}
