import { type Expression, type Kysely, type SqlBool, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { countOfRows } from '../transaction/count-of-rows.ts';

/** The state is part of the SQL text, not a parameter: otherwise SQLite does not use a partial index. */
export const isUnfinished: Expression<SqlBool> = sql<SqlBool>`${sql.ref('state')} = ${sql.lit('PENDING')}`;

/** What clients read in the deliveries that are given up because they have too many. */
export const tooManyUnfinished = (max: number): string =>
  `You had ${max} unfinished deliveries, the most that are allowed. Repair your receivers, then replay this one.`;

/** How long a client that has too many is not counted again. */
const FULL_MS = 1000;
/** The most clients that are remembered. */
const MAX_CLIENTS = 10_000;

/**
 * Returns a function that tells whether a client has no room for further deliveries, and that counts these. It reads the
 * deliveries again only after an eighth of `max` was added, because reading 100,000 takes milliseconds. So processes that
 * share a database can exceed the limit, each by an eighth.
 */
export function deliveryLimit() {
  const rooms = new Map<string, { left: number; readonly fullUntilMs: number }>();
  return async (db: Kysely<Schema>, clientId: string, added: number, max: number): Promise<boolean> => {
    const known = rooms.get(clientId);
    if (known !== undefined && performance.now() < known.fullUntilMs) return true;
    if (known !== undefined && known.left >= added) {
      known.left -= added;
      return false;
    }
    const count = await countUnfinished(db, clientId, max);
    const isFull = count + added > max;
    if (rooms.size >= MAX_CLIENTS) rooms.clear();
    rooms.set(clientId, {
      left: isFull ? 0 : Math.min(max - count, Math.ceil(max / 8)) - added,
      fullUntilMs: isFull ? performance.now() + FULL_MS : 0,
    });
    return isFull;
  };
}

async function countUnfinished(db: Kysely<Schema>, clientId: string, max: number): Promise<number> {
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
}
