import { TEST_EVENT } from '@telecine/contract/domain/webhook.ts';
import { sql } from 'kysely';
import type { ClaimedDelivery, DeliveryAttempt, DeliveryOutcome, WebhookOutbox } from '../../webhooks/ports/outbox.ts';
import { omitNullish, parseJsonColumn } from '../columns.ts';
import { hasValues, rowsChanged } from '../queries.ts';
import type { Database, Db } from '../transaction/database.ts';
import { disableEndpoint, isUnfinished } from './deliveries.ts';

/** The maximum number of stored attempts of a delivery. The schedule of retries has fewer attempts. */
const KEPT_ATTEMPTS = 20;

/**
 * Lets processes claim deliveries. Not durable: after a crash, an attempt may be repeated. A flush for each write would
 * limit the rate of deliveries.
 */
export function deliveryClaims(database: Database) {
  const { reader, write, now } = database;

  return {
    async receiversAfter(after, limit) {
      // Jumps from one receiver to the next in the index, so that a receiver with many deliveries costs no more than
      // one with a single delivery.
      const { rows } = await sql<{ name: string; is_due: number }>`
        with recursive receivers (name, number) as (
          select (select min(receiver) from webhook_deliveries where state = 'PENDING' and receiver > ${after}), 1
          union all
          select (select min(receiver) from webhook_deliveries where state = 'PENDING' and receiver > receivers.name),
            receivers.number + 1
          from receivers where receivers.name is not null and receivers.number < ${sql.lit(limit)}
        )
        select name, case when exists (
          select 1 from webhook_deliveries
          where state = 'PENDING' and receiver = receivers.name and due_at <= ${now()}
        ) then 1 else 0 end as is_due
        from receivers where name is not null`.execute(reader);
      return rows.map(({ name, is_due }) => ({ name, isDue: is_due === 1 }));
    },

    claim: (receiver, limit, leaseSeconds) =>
      write(
        async (db) => {
          const due = db
            .selectFrom('webhook_deliveries')
            .where(isUnfinished)
            .select('delivery_id')
            .where('receiver', '=', receiver)
            .where('due_at', '<=', now())
            .orderBy('due_at')
            .limit(limit);
          const claimed = await db
            .updateTable('webhook_deliveries')
            .set({ receipt: sql`receipt + 1`, is_leased: 1, due_at: now(leaseSeconds) })
            .where('delivery_id', 'in', due)
            // Check again: another process may have claimed these deliveries since they were selected.
            .where(isUnfinished)
            .where('due_at', '<=', now())
            .returning('delivery_id')
            .execute();
          return readClaimed(
            db,
            claimed.map((row) => row.delivery_id),
          );
        },
        { durable: false },
      ),

    storeOutcome: (delivery, outcome, disableAfterSeconds) =>
      write((db) => storeOutcome(database, db, delivery, outcome, disableAfterSeconds), { durable: false }),

    async releaseAll() {
      await write(
        (db) =>
          db
            .updateTable('webhook_deliveries')
            .set({ is_leased: 0, due_at: now() })
            .where(isUnfinished)
            .where('is_leased', '=', 1)
            .execute(),
        { durable: false },
      );
    },
  } satisfies Partial<WebhookOutbox>;
}

/** Stores the outcome of an attempt. Returns the reason if it disables the endpoint. */
async function storeOutcome(
  { lock, now }: Pick<Database, 'lock' | 'now'>,
  db: Db,
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
  disableAfterSeconds: number,
): Promise<'GONE' | 'FAILING' | undefined> {
  const { deliveryId, receipt, webhookId } = delivery;
  const row = await db
    .selectFrom('webhook_deliveries as d')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.webhook_id', 'd.webhook_id')
    .select(['d.attempts', 'endpoint.failing_since'])
    .where('d.delivery_id', '=', deliveryId)
    .where('d.receipt', '=', receipt)
    .where('d.state', '=', 'PENDING')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // Lock the webhooks of the client to prevent a deadlock: disabling an endpoint writes the endpoint before its
  // deliveries, but this transaction writes the delivery first.
  if (outcome.state !== 'DELIVERED' || row.failing_since !== null)
    await lock?.(db, 'webhooks of client', delivery.message.clientId);
  const earlier = parseJsonColumn<DeliveryAttempt[]>(row.attempts) ?? [];
  const attempt = 'attempt' in outcome ? outcome.attempt : undefined;
  const endedAt = new Date().toISOString();
  const stored = db
    .updateTable('webhook_deliveries')
    .set({
      state: outcome.state,
      is_leased: 0,
      due_at: now('afterSeconds' in outcome ? outcome.afterSeconds : 0),
      ...(outcome.state !== 'PENDING' && { ended_at: endedAt }),
      ...('reason' in outcome && { reason: outcome.reason }),
      ...(attempt && {
        planned_at: null,
        attempt_count: sql<number>`attempt_count + 1`,
        attempts: JSON.stringify([...earlier, attempt].slice(-KEPT_ATTEMPTS)),
      }),
    })
    // Check the state again: the endpoint may have been disabled during the attempt.
    .where(hasValues<'webhook_deliveries'>({ delivery_id: deliveryId, receipt, state: 'PENDING' }));
  if ((await rowsChanged(db, stored)) === 0 || attempt === undefined || webhookId === undefined) return undefined;
  // Ignore a failed test event: the client who sent it reads its result, and real events may still arrive.
  if (delivery.message.event === TEST_EVENT && outcome.state !== 'DELIVERED' && !isGone(outcome)) return undefined;
  return recordHealth(db, webhookId, outcome, endedAt, disableAfterSeconds);
}

/**
 * Reads deliveries with the data that their HTTP requests need. `url` is undefined if the endpoint is disabled or
 * missing, or if the client was revoked.
 */
async function readClaimed(db: Db, ids: readonly string[]): Promise<readonly ClaimedDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhook_messages as m', 'm.message_id', 'd.message_id')
    .leftJoin('webhook_endpoints as endpoint', 'endpoint.webhook_id', 'd.webhook_id')
    .leftJoin('clients', 'clients.client_id', 'd.client_id')
    .select([
      'd.delivery_id as deliveryId',
      'd.receipt',
      'd.created_at as createdAt',
      'd.attempt_count as attemptCount',
      'd.planned_at as plannedAt',
    ])
    .select([
      'd.webhook_id as webhookId',
      'd.url as callback',
      'endpoint.url',
      'endpoint.disabled_at',
      'clients.revoked_at',
    ])
    .select(['m.message_id as messageId', 'm.client_id as clientId', 'm.job_id as jobId', 'm.batch_id as batchId'])
    .select(['m.watch_id as watchId', 'm.event', 'm.payload', 'm.created_at as messageAt'])
    .where('d.delivery_id', 'in', ids)
    .orderBy('d.delivery_id')
    .execute();
  return rows.map((row) => {
    const { deliveryId, receipt, createdAt, attemptCount, plannedAt, webhookId, messageId, clientId, event } = row;
    const { payload, jobId, batchId, watchId, messageAt, callback, url } = row;
    const isStopped = row.revoked_at !== null || row.disabled_at !== null;
    return {
      ...{ deliveryId, receipt, createdAt, attemptCount, ...omitNullish({ webhookId, plannedAt }) },
      url: isStopped ? undefined : (callback ?? url ?? undefined),
      message: {
        messageId,
        clientId,
        event,
        payload,
        createdAt: messageAt,
        ...omitNullish({ jobId, batchId, watchId }),
      },
    };
  });
}

const isGone = (outcome: DeliveryOutcome): boolean => 'isGone' in outcome && outcome.isGone === true;

/**
 * Stores whether an endpoint works. If it answered 410 (gone) or has failed for too long, disables it and returns the
 * reason.
 */
async function recordHealth(
  db: Db,
  webhookId: string,
  outcome: DeliveryOutcome,
  at: string,
  disableAfterSeconds: number,
): Promise<'GONE' | 'FAILING' | undefined> {
  const update = db.updateTable('webhook_endpoints').where('webhook_id', '=', webhookId);
  if (outcome.state === 'DELIVERED') {
    await update.set({ failing_since: null }).where('failing_since', 'is not', null).execute();
    return undefined;
  }
  const row = await update
    .set({ failing_since: sql`coalesce(failing_since, ${at})` })
    .where('disabled_at', 'is', null)
    .returning('failing_since')
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const failingSeconds = (Date.parse(at) - Date.parse(row.failing_since ?? at)) / 1000;
  // Count only final failures: a delivery that will be repeated may still succeed. An endpoint with few events may have
  // only two attempts in five days.
  const isFailing = outcome.state === 'FAILED' && failingSeconds >= disableAfterSeconds;
  if (!isGone(outcome) && !isFailing) return undefined;
  const reason = isGone(outcome) ? 'GONE' : 'FAILING';
  await disableEndpoint(db, webhookId, reason, at);
  return reason;
}
