import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { DeliveryLimits, EventStorage } from '../../webhooks/ports.ts';
import { countOfRows } from '../queries.ts';
import type { Schema } from '../schema.ts';

/** The state is part of the SQL text, not a parameter: otherwise SQLite does not use a partial index. */
export const isUnfinished: Expression<SqlBool> = sql<SqlBool>`${sql.ref('state')} = ${sql.lit('PENDING')}`;

/** Whether a delivery was given up without an attempt. In the SQL text for the same reason. */
const isUnsent: Expression<SqlBool> = sql<SqlBool>`${sql.ref('state')} = ${sql.lit('FAILED')} and ${sql.ref('attempt_count')} = ${sql.lit(0)}`;

/** What clients read in the deliveries that are given up because they have too many. */
export const tooManyUnfinished = (max: number): string =>
  `You had ${max} unfinished deliveries, the most that are allowed. Repair your receivers, then replay this one.`;

/**
 * How long a client that has too many is not counted again, also if deliveries end meanwhile: each end of a job would count them,
 * which takes milliseconds.
 */
const FULL_MS = 1000;
/** The most clients that are remembered. */
const MAX_CLIENTS = 10_000;

/** Selects the deliveries of a client that a limit counts. */
type Counted = (rows: Deliveries, clientId: string) => Deliveries;

type Deliveries = SelectQueryBuilder<Schema, 'webhook_deliveries', { delivery_id: string }>;

/**
 * Returns a function that tells what becomes of `added` further deliveries of a client, and that counts these. It reads the
 * deliveries again only after an eighth of a limit was added, because reading 100,000 takes milliseconds. So processes that
 * share a database can exceed a limit, each by an eighth. Deliveries of a transaction that is rolled back count too; then
 * they are read again earlier.
 */
export function deliveryLimits() {
  const hasUnfinishedRoom = roomFor(unfinishedOf);
  const hasUnsentRoom = roomFor(unsentOf);
  return async (
    db: Kysely<Schema>,
    clientId: string,
    added: number,
    { unfinished, unsent }: DeliveryLimits,
  ): Promise<EventStorage> => {
    if (await hasUnfinishedRoom(db, clientId, added, unfinished)) return 'DUE';
    if (unsent === 0) return 'NOT_STORED';
    return (await hasUnsentRoom(db, clientId, added, unsent)) ? 'GIVEN_UP' : 'NOT_STORED';
  };
}

/** Returns a function that tells whether a client has room below `max` for more of what `counted` selects. */
function roomFor(counted: Counted) {
  const rooms = new Map<string, { left: number; readonly fullUntilMs: number }>();
  return async (db: Kysely<Schema>, clientId: string, added: number, max: number): Promise<boolean> => {
    const known = rooms.get(clientId);
    if (known !== undefined && performance.now() < known.fullUntilMs) return false;
    if (known !== undefined && known.left >= added) {
      known.left -= added;
      return true;
    }
    const all = db.selectFrom('webhook_deliveries').select('delivery_id');
    const found = counted(all, clientId).limit(max).as('counted');
    const { count } = await db.selectFrom(found).select(countOfRows).executeTakeFirstOrThrow();
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
    // The receivers of a client begin with its name and a slash, after which "0" comes in the order of characters.
    .where('receiver', '>', `${clientId}/`)
    .where('receiver', '<', `${clientId}0`);

const unsentOf: Counted = (rows, clientId) => rows.where(isUnsent).where('client_id', '=', clientId);
