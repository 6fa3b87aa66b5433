import { type Kysely, sql } from 'kysely';

/** Adds an index for queued jobs that not every worker can run. Most jobs are not in it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('jobs_by_needs')
    .on('jobs')
    .column('needs')
    .where(sql<boolean>`status = 'PENDING' and needs is not null`)
    .execute();
}
