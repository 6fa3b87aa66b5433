import { type Kysely, sql } from 'kysely';

/** Adds an index by which the deliveries of a client that were given up without an attempt are counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('webhook_deliveries_unsent')
    .on('webhook_deliveries')
    .column('client_id')
    .where(sql`state`, '=', sql.lit('FAILED'))
    .where(sql`attempt_count`, '=', sql.lit(0))
    .execute();
}
