import type { Kysely } from 'kysely';

/** Adds the trace that a job belongs to. Null unless its request was traced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('trace_parent', 'text').execute();
}
