import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds when the outputs of a job expire and whether they have, which gives the job the number of a change, and a table of
 * the outputs that are still to be removed. That has the files itself, so that they expire also if the job is deleted before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema.alterTable('jobs').addColumn('outputs_expire_at', text).execute();
  await db.schema.alterTable('jobs').addColumn('outputs_expired', 'integer').execute();
  await db.schema
    .createTable('output_expiries')
    .addColumn('job_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('due_at', text, (c) => c.notNull())
    .addColumn('outputs', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('output_expiries_by_time').on('output_expiries').columns(['due_at', 'job_id']).execute();
  await sql.raw(isSqlite ? SQLITE_TRIGGER : POSTGRES_TRIGGER).execute(db);
}

// As `jobs_number_changed` of 0015 for other columns.
const SQLITE_TRIGGER = `
  create trigger jobs_number_expired after update of outputs_expired on jobs
    when new.outputs_expired is not old.outputs_expired
  begin
    update installation set change_base = change_base + 1;
    update jobs set change_number = (select change_base from installation) where job_id = new.job_id;
  end`;

const POSTGRES_TRIGGER = `
  create trigger jobs_number_expired before update of outputs_expired on jobs
    for each row when (new.outputs_expired is distinct from old.outputs_expired)
    execute function telecine_number_changed_job()`;
