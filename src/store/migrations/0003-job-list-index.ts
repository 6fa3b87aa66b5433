import type { Kysely } from 'kysely';

/** For the lists of all clients' jobs with one status. It costs a submission about a microsecond. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('jobs_by_status_and_age').on('jobs').columns(['status', 'job_id']).execute();
}
