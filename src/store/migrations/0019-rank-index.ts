import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds an index for the highest rank of a client's queued jobs. On SQLite, the newest job has it: one process gives the
 * ids and the ranks in one order. Of several services on PostgreSQL, the one that stores its job later can have given it
 * the earlier id.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await db.schema
    .createIndex('jobs_queued_ranks')
    .on('jobs')
    .columns(['client_id', 'turn'])
    .where(sql`status`, '=', sql.lit('PENDING'))
    .execute();
}
