import type { Kysely } from 'kysely';

/** Adds the warnings of a job. Most jobs have none, so most rows do not grow. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('warnings', 'text').execute();
}
