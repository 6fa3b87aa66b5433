import { type Kysely, SqliteAdapter } from 'kysely';

/**
 * On SQLite, adds the columns that a count of the queued jobs reads to the index of jobs by status, and drops `0043-queued-index`: each
 * index of a queued job is some five of the 37 pages that a group of forty submissions writes. A job that has ended takes some 30 bytes
 * more. PostgreSQL keeps both, because its index entries are limited in length, and what a job waits for is not.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof SqliteAdapter)) return;
  for (const name of ['jobs_queued', 'jobs_by_status']) await db.schema.dropIndex(name).execute();
  await db.schema
    .createIndex('jobs_by_status')
    .on('jobs')
    .columns(['status', 'client_id', 'job_id', 'lane', 'created_at', 'released_at', 'waiting_for'])
    .execute();
}
