import { type Kysely, sql } from 'kysely';

/**
 * Adds an index with all that a count of the queued jobs by lane and client reads, so that it reads no row of a job. It costs
 * each submission about a microsecond. SQLite chooses it because it begins with the status, although all have the same.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('jobs_queued')
    .on('jobs')
    .columns(['status', 'lane', 'client_id', 'created_at', 'released_at', 'waiting_for'])
    .where(sql<boolean>`status = 'PENDING' and waiting_for is null`)
    .execute();
}
