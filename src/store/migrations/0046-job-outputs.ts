import type { Kysely } from 'kysely';

/**
 * Adds a table for the outputs of a job after its first ones, so that its row stays small. The rows of jobs that ended before keep
 * all of theirs.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('output_count', 'integer').execute();
  await db.schema
    .createTable('job_outputs')
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addColumn('first', 'integer', (c) => c.notNull())
    .addColumn('outputs', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_outputs_pk', ['job_id', 'first'])
    .execute();
}
