import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Lets the stored parts of outputs go with their job, also if an earlier version deletes that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await (db.getExecutor().adapter instanceof SqliteAdapter ? replaceTable(db) : addForeignKey(db));
}

/** SQLite adds no foreign key to a table. */
async function replaceTable(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('job_outputs_new')
    .addColumn('job_id', 'text', (c) => c.notNull().references('jobs.job_id').onDelete('cascade'))
    .addColumn('first', 'integer', (c) => c.notNull())
    .addColumn('outputs', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_outputs_of_job_pk', ['job_id', 'first'] as never[])
    .execute();
  await sql`insert into job_outputs_new (job_id, first, outputs)
    select job_id, first, outputs from job_outputs where job_id in (select job_id from jobs)`.execute(db);
  await db.schema.dropTable('job_outputs').execute();
  await db.schema.alterTable('job_outputs_new').renameTo('job_outputs').execute();
}

/**
 * Services of the previous version write both tables meanwhile, some of them `jobs` first and some `job_outputs`. A transaction
 * that waited for one table while it has locked the other could wait for them for ever. So this one releases the first lock if
 * it does not get the second one at once. The locks last until all migrations are committed.
 */
async function addForeignKey(db: Kysely<unknown>): Promise<void> {
  // Most rows, before others have to wait.
  await deleteOrphans(db);
  await sql`do $$ begin
    loop
      begin
        lock table jobs in share row exclusive mode;
        lock table job_outputs in share row exclusive mode nowait;
        exit;
      exception when lock_not_available then
        perform pg_sleep(0.01);
      end;
    end loop;
  end $$`.execute(db);
  await deleteOrphans(db);
  await db.schema
    .alterTable('job_outputs')
    .addForeignKeyConstraint('job_outputs_job_fk', ['job_id'], 'jobs', ['job_id'], (c) => c.onDelete('cascade'))
    .execute();
}

const deleteOrphans = (db: Kysely<unknown>) =>
  // `jobs` compares ids with the collation "C", `job_outputs` does not.
  sql`delete from job_outputs where not exists (
    select from jobs where jobs.job_id = job_outputs.job_id collate "C")`.execute(db);
