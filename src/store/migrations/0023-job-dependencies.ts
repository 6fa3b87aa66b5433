import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds jobs that wait for others: what a job waits for (JSON of job ids), the time from which it waits for nothing, and a
 * row for each job that another one waits for. The release of a job is a numbered change; see `0015-job-changes`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema.alterTable('jobs').addColumn('waiting_for', 'text').execute();
  await db.schema.alterTable('jobs').addColumn('released_at', 'text').execute();
  // Only jobs that waited are in it, so other submissions do not pay for it. PostgreSQL has `0019-rank-index`.
  if (isSqlite)
    await db.schema
      .createIndex('jobs_released')
      .on('jobs')
      .columns(['client_id', 'turn'])
      .where(sql`status`, '=', sql.lit('PENDING'))
      .where(sql`released_at`, 'is not', null)
      .execute();
  const table = db.schema
    .createTable('job_dependencies')
    .addColumn('parent_id', text, (c) => c.notNull())
    .addColumn('job_id', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('job_dependencies_pk', ['parent_id', 'job_id'] as never[]);
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  await db.schema.createIndex('job_dependencies_of_job').on('job_dependencies').column('job_id').execute();
  await sql
    .raw(
      isSqlite
        ? `create trigger jobs_number_released after update of released_at on jobs
             when new.released_at is not old.released_at
           begin
             update installation set change_base = change_base + 1;
             update jobs set change_number = (select change_base from installation) where job_id = new.job_id;
           end`
        : `create trigger jobs_number_released before update of released_at on jobs
             for each row when (new.released_at is distinct from old.released_at)
             execute function telecine_number_changed_job()`,
    )
    .execute(db);
}
