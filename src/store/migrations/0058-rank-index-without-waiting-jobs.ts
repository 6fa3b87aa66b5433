import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * On SQLite too, leaves jobs that wait for others out of the index of ranks, as `0057-one-queue-index-on-postgresql` does. Such a job
 * gets its rank when it is released. Until then it had the rank of its client's last queued job, and kept that rank in use after the
 * client had cancelled the queued jobs. A service of the previous version, after a rollback, reads all queued jobs of a client for a rank.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  await db.schema.dropIndex('jobs_queued_ranks').execute();
  await db.schema
    .createIndex('jobs_queued_ranks')
    .on('jobs')
    .columns(['client_id', 'turn'])
    .where(sql<boolean>`status = 'PENDING' and waiting_for is null`)
    .execute();
}
