import { type Kysely, sql } from 'kysely';

/** Adds an index for deleting old finished jobs. It is written only when a job ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('jobs_by_completion')
    .on('jobs')
    .column('completed_at')
    .where(sql`completed_at`, 'is not', null)
    .execute();
}
