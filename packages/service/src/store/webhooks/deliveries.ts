import {
  type Expression,
  type ExpressionBuilder,
  type ExpressionWrapper,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import type { DisabledReason } from '../../webhooks/ports/endpoints.ts';
import type { DeliveryLimits, EventStorage } from '../../webhooks/ports/outbox.ts';
import { countOf, removeInBatches, updateRows } from '../queries.ts';
import type { Schema } from '../schema.ts';
import type { Database, Db } from '../transaction/database.ts';

/** The state must be in the SQL text, not a parameter: only then does SQLite use an index with only one state. */
export const isUnfinished: Expression<SqlBool> = sql<SqlBool>`${sql.ref('state')} = ${sql.lit('PENDING')}`;

/** Selects deliveries that were given up without an attempt. The state must be in the SQL text: see `isUnfinished`. */
const isUnsent: Expression<SqlBool> = sql<SqlBool>`${sql.ref('state')} = ${sql.lit('FAILED')} and ${sql.ref('attempt_count')} = ${sql.lit(0)}`;

/** The reason that is stored with deliveries that are given up because the client has too many. */
export const tooManyUnfinished = (max: number): string =>
  `You had ${max} unfinished deliveries, the most that are allowed. Repair your receivers, then replay this one.`;

/**
 * How long a client at its limit is not counted again. Counting takes milliseconds, and otherwise each end of a job
 * would count.
 */
const FULL_MS = 1000;
const MAX_CLIENTS = 10_000;

/** Selects which deliveries of a client count towards a limit. */
type Counted = (rows: Deliveries, clientId: string) => Deliveries;

type Deliveries = SelectQueryBuilder<Schema, 'webhook_deliveries', { delivery_id: string }>;

/**
 * Returns a function that counts `added` deliveries of a client, and decides how they are stored. Reading 100,000
 * stored deliveries takes milliseconds, so it reads them again only after an eighth of the free room is used.
 * Therefore, each process can exceed a limit by an eighth. Deliveries that are rolled back are counted too, which only
 * causes an earlier read.
 */
export function deliveryLimits() {
  const hasUnfinishedRoom = roomFor(unfinishedOf);
  const hasUnsentRoom = roomFor(unsentOf);
  return async (
    db: Db,
    clientId: string,
    added: number,
    { unfinished, unsent }: DeliveryLimits,
  ): Promise<EventStorage> => {
    if (await hasUnfinishedRoom(db, clientId, added, unfinished)) return 'DUE';
    if (unsent === 0) return 'NOT_STORED';
    return (await hasUnsentRoom(db, clientId, added, unsent)) ? 'GIVEN_UP' : 'NOT_STORED';
  };
}

/**
 * Returns a function that tells whether a client may add deliveries. `counted`: selects the deliveries that count.
 * `max`: the limit.
 */
function roomFor(counted: Counted) {
  const rooms = new Map<string, { left: number; readonly fullUntilMs: number }>();
  return async (db: Db, clientId: string, added: number, max: number): Promise<boolean> => {
    const known = rooms.get(clientId);
    if (known !== undefined && performance.now() < known.fullUntilMs) return false;
    if (known !== undefined && known.left >= added) {
      known.left -= added;
      return true;
    }
    const all = db.selectFrom('webhook_deliveries').select('delivery_id');
    const count = await countOf(db, counted(all, clientId).limit(max));
    const hasRoom = count + added <= max;
    if (rooms.size >= MAX_CLIENTS) rooms.clear();
    rooms.set(clientId, {
      left: hasRoom ? Math.min(max - count, Math.ceil(max / 8)) - added : 0,
      fullUntilMs: hasRoom ? 0 : performance.now() + FULL_MS,
    });
    return hasRoom;
  };
}

const unfinishedOf: Counted = (rows, clientId) =>
  rows
    .where(isUnfinished)
    // The receivers of a client begin with its id and a slash. "0" is the next character after the slash.
    .where('receiver', '>', `${clientId}/`)
    .where('receiver', '<', `${clientId}0`);

const unsentOf: Counted = (rows, clientId) => rows.where(isUnsent).where('client_id', '=', clientId);

/** The reason that is stored with deliveries to a disabled endpoint. */
const ENDPOINT_DISABLED = 'The endpoint was disabled.';

/** Disables an endpoint, unless it is disabled already, and gives up its unfinished deliveries. */
export async function disableEndpoint(db: Db, webhookId: string, reason: DisabledReason, at: string): Promise<void> {
  const disabled = { disabled_at: at, disabled_reason: reason };
  await updateRows(db, 'webhook_endpoints', disabled, { webhook_id: webhookId, disabled_at: null });
  const givenUp = { state: 'FAILED' as const, ended_at: at, reason: ENDPOINT_DISABLED };
  await updateRows(db, 'webhook_deliveries', givenUp, { webhook_id: webhookId, state: 'PENDING' });
}

/** The maximum number of deliveries that one transaction removes, because other transactions wait for it. */
const BATCH = 500;

/**
 * Locks the stored events until the end of the transaction. Without this lock, an event could be removed while another
 * transaction adds a delivery of it. Or if two transactions remove the last two deliveries of an event, each would
 * still see the delivery that the other one removes, and the event would stay for ever.
 */
export const lockEvents = async ({ lock }: Pick<Database, 'lock'>, db: Db): Promise<void> =>
  lock?.(db, 'webhook events', '');

/** Removes the deliveries that meet `condition`, and events that then have no delivery. */
export async function removeDeliveries(
  database: Pick<Database, 'write' | 'lock'>,
  condition: (
    e: ExpressionBuilder<Schema, 'webhook_deliveries'>,
  ) => ExpressionWrapper<Schema, 'webhook_deliveries', SqlBool>,
): Promise<void> {
  await removeInBatches(database, BATCH, async (db) => {
    await lockEvents(database, db);
    const found = await db
      .selectFrom('webhook_deliveries')
      .select(['delivery_id', 'message_id'])
      .where(condition)
      .limit(BATCH)
      .execute();
    if (found.length === 0) return 0;
    const ids = found.map((row) => row.delivery_id);
    await db.deleteFrom('webhook_deliveries').where('delivery_id', 'in', ids).execute();
    await removeUnused(db, [...new Set(found.map((row) => row.message_id))]);
    return found.length;
  });
}

async function removeUnused(db: Db, messageIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('webhook_messages')
    .where('message_id', 'in', messageIds)
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom('webhook_deliveries as d')
            .select('d.delivery_id')
            .whereRef('d.message_id', '=', 'webhook_messages.message_id'),
        ),
      ),
    )
    .execute();
}
