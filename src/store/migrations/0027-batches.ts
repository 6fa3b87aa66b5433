import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds batches, and the batch of each job with its name there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('batches')
    .addColumn('batch_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('size', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('batches_of_client').on('batches').columns(['client_id', 'batch_id']).execute();
  await db.schema.alterTable('jobs').addColumn('batch_id', text).execute();
  await db.schema.alterTable('jobs').addColumn('name', 'text').execute();
  await db.schema
    .createIndex('jobs_of_batch')
    .on('jobs')
    .columns(['batch_id', 'job_id', 'status'])
    .where(sql`batch_id`, 'is not', null)
    .execute();
}
