import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the parts of measured lists that are too long for the row of their job. They go with the job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('job_measurements')
    .addColumn('job_id', text, (c) => c.notNull().references('jobs.job_id').onDelete('cascade'))
    .addColumn('list', text, (c) => c.notNull())
    .addColumn('first', 'integer', (c) => c.notNull())
    .addColumn('entries', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_measurements_pk', ['job_id', 'list', 'first'] as never[])
    .execute();
}
