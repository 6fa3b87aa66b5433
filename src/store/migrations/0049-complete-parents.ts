import type { Kysely } from 'kysely';

/** Adds whether a parent is complete, so that it can be deleted before all jobs that wait for it are released. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('job_dependencies')
    .addColumn('is_complete', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
