import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from 'kysely';
import { removeInBatches } from '../queries.ts';
import type { Schema } from '../schema.ts';
import type { Database } from '../transaction/database.ts';

/** The most deliveries that one transaction removes, because other transactions wait for it. */
const BATCH = 500;

/**
 * Locks the stored events until the end of the transaction. Without it, an event could be removed while another transaction
 * adds a delivery of it, or be left by two that each see the delivery that the other one removes.
 */
export const lockEvents = async ({ lock }: Pick<Database, 'lock'>, db: Kysely<Schema>): Promise<void> =>
  lock?.(db, 'webhook events', '');

/** Removes the deliveries for which `condition` is true, and the events that no delivery has any more. */
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

/** Removes those of the events that no delivery has any more. */
async function removeUnused(db: Kysely<Schema>, messageIds: readonly string[]): Promise<void> {
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
