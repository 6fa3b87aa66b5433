import type { Kysely } from 'kysely';

/** Adds the results of an analysis to its job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('measurements', 'text').execute();
}
