import type { Kysely } from 'kysely';

/**
 * An index costs every submission about a microsecond: one that holds status and client serves the lists, the counts
 * and the last turn of a client, for which there were three.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ['jobs_of_client', 'jobs_by_status', 'jobs_waiting']) await db.schema.dropIndex(name).execute();
  await db.schema.createIndex('jobs_by_status').on('jobs').columns(['status', 'client_id', 'job_id']).execute();
}
