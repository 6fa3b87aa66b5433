import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Lets the stored parts of outputs go with their job, also if an earlier version deletes that. SQLite adds no foreign key to a
 * table, so this replaces it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('job_outputs_new')
    .addColumn('job_id', text, (c) => c.notNull().references('jobs.job_id').onDelete('cascade'))
    .addColumn('first', 'integer', (c) => c.notNull())
    .addColumn('outputs', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_outputs_of_job_pk', ['job_id', 'first'] as never[])
    .execute();
  await sql`insert into job_outputs_new (job_id, first, outputs)
    select job_id, first, outputs from job_outputs where job_id in (select job_id from jobs)`.execute(db);
  await db.schema.dropTable('job_outputs').execute();
  await db.schema.alterTable('job_outputs_new').renameTo('job_outputs').execute();
}
