import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds the callback of a batch, the batch of an event with its deliveries, and an index of the unfinished jobs of batches,
 * which tells the end of a batch.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema.alterTable('batches').addColumn('callback_url', 'text').execute();
  await db.schema.alterTable('webhook_messages').addColumn('batch_id', text).execute();
  await db.schema.alterTable('webhook_deliveries').addColumn('batch_id', text).execute();
  await db.schema
    .createIndex('webhook_deliveries_of_batch')
    .on('webhook_deliveries')
    .columns(['batch_id', 'delivery_id'])
    .where(sql`batch_id`, 'is not', null)
    .execute();
  await db.schema
    .createIndex('jobs_unfinished_of_batch')
    .on('jobs')
    .column('batch_id')
    .where(sql`batch_id`, 'is not', null)
    .where(sql`completed_at`, 'is', null)
    .execute();
}
