import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { DeliveryLimits, EventStorage } from '../../webhooks/ports.ts';
import type { Schema } from '../schema.ts';
import { countOfRows } from '../transaction/count-of-rows.ts';

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

type Count = (db: Kysely<Schema>, clientId: string, max: number) => Promise<number>;

/**
 * Returns a function that tells what becomes of `added` further deliveries of a client, and that counts these. It reads the
 * deliveries again only after an eighth of a limit was added, because reading 100,000 takes milliseconds. So processes that
 * share a database can exceed a limit, each by an eighth. Deliveries of a transaction that is rolled back count too; then
 * they are read again earlier.
 */
export function deliveryLimits() {
  const hasUnfinishedRoom = roomFor(countUnfinished);
  const hasUnsentRoom = roomFor(countUnsent);
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

/** Returns a function that tells whether a client has room below `max`, by what `count` counts. */
function roomFor(count: Count) {
  const rooms = new Map<string, { left: number; readonly fullUntilMs: number }>();
  return async (db: Kysely<Schema>, clientId: string, added: number, max: number): Promise<boolean> => {
    const known = rooms.get(clientId);
    if (known !== undefined && performance.now() < known.fullUntilMs) return false;
    if (known !== undefined && known.left >= added) {
      known.left -= added;
      return true;
    }
    const counted = await count(db, clientId, max);
    const hasRoom = counted + added <= max;
    if (rooms.size >= MAX_CLIENTS) rooms.clear();
    rooms.set(clientId, {
      left: hasRoom ? Math.min(max - counted, Math.ceil(max / 8)) - added : 0,
      fullUntilMs: hasRoom ? 0 : performance.now() + FULL_MS,
    });
    return hasRoom;
  };
}

const countUnfinished: Count = async (db, clientId, max) => {
  const unfinished = db
    .selectFrom('webhook_deliveries')
    .select('delivery_id')
    .where(isUnfinished)
    // The receivers of a client begin with its name and a slash, after which "0" comes in the order of characters.
    .where('receiver', '>', `${clientId}/`)
    .where('receiver', '<', `${clientId}0`)
    .limit(max)
    .as('counted');
  return (await db.selectFrom(unfinished).select(countOfRows).executeTakeFirstOrThrow()).count;
};

const countUnsent: Count = async (db, clientId, max) => {
  const unsent = db
    .selectFrom('webhook_deliveries')
    .select('delivery_id')
    .where(isUnsent)
    .where('client_id', '=', clientId)
    .limit(max)
    .as('counted');
  return (await db.selectFrom(unsent).select(countOfRows).executeTakeFirstOrThrow()).count;
};
