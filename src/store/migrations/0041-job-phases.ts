import type { Kysely } from 'kysely';

/** Adds when each phase of the newest attempt of a job began. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('phases', 'text').execute();
}
