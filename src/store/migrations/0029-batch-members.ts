import type { Kysely } from 'kysely';

/** Adds the jobs with which a batch was submitted, which outlive the jobs. Batches of earlier versions have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('batches').addColumn('members', 'text').execute();
}
