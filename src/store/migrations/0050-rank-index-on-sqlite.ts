import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Gives SQLite the index of `0019-rank-index` too. The newest job of a client need not have its highest rank: a batch, or a job
 * with `after`, is stored before the older jobs that still wait for their transaction. It replaces the index of released jobs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await db.schema.dropIndex('jobs_released').execute();
  await db.schema
    .createIndex('jobs_queued_ranks')
    .on('jobs')
    .columns(['client_id', 'turn'])
    .where(sql`status`, '=', sql.lit('PENDING'))
    .execute();
}
