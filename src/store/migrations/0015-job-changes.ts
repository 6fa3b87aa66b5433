import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** A change of one of these columns gets a new number. Phase and progress do not: they are shown, but not replayed. */
const NUMBERED = ['status', 'attempt', 'cancel_requested_at'] as const;

/**
 * Adds the number of the last change of each job, and the numbers of deleted jobs. The database gives the numbers, so
 * that the writes of earlier versions get them too. Jobs that have not changed since this migration have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema.alterTable('jobs').addColumn('change_number', 'bigint').execute();
  for (const column of ['change_base', 'forgotten_changes'])
    await db.schema
      .alterTable('installation')
      .addColumn(column, 'bigint', (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema
    .createTable('deleted_jobs')
    .addColumn('job_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('change_number', 'bigint', (c) => c.notNull())
    .addColumn('deleted_at', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('deleted_jobs_by_age').on('deleted_jobs').column('deleted_at').execute();
  for (const table of ['jobs', 'deleted_jobs'])
    await db.schema
      .createIndex(`${table}_by_change`)
      .on(table)
      .columns(['change_number', 'job_id', 'client_id'])
      .where(sql`change_number`, 'is not', null)
      .execute();
  for (const statement of isSqlite ? sqliteTriggers() : postgresTriggers()) await sql.raw(statement).execute(db);
}

/** Transactions run one after the other, so a counter numbers them in the order of their commits. */
function sqliteTriggers(): readonly string[] {
  const count = 'update installation set change_base = change_base + 1;';
  const number = `${count}
    update jobs set change_number = (select change_base from installation) where job_id = new.job_id;`;
  const changed = NUMBERED.map((column) => `new.${column} is not old.${column}`).join(' or ');
  return [
    // A moved job has a number already.
    `create trigger jobs_number_new after insert on jobs when new.change_number is null begin ${number} end`,
    `create trigger jobs_number_changed after update of ${NUMBERED.join(', ')} on jobs when ${changed}
     begin ${number} end`,
    `create trigger jobs_record_deleted after delete on jobs begin
       ${count}
       insert or replace into deleted_jobs (job_id, client_id, change_number, deleted_at)
         select old.job_id, old.client_id, change_base, strftime('%Y-%m-%dT%H:%M:%fZ', 'now') from installation;
     end`,
  ];
}

/**
 * The number is the id of the transaction, which is known before the commit and tells readers which numbers may still
 * appear. `change_base` keeps the numbers rising if the database is restored or moved to a server with lower ids.
 */
function postgresTriggers(): readonly string[] {
  const changed = NUMBERED.map((column) => `new.${column} is distinct from old.${column}`).join(' or ');
  return [
    `create function telecine_change_number() returns bigint language plpgsql volatile as $$
       begin return (select change_base from installation) + pg_current_xact_id()::text::bigint; end $$`,
    `create function telecine_number_changed_job() returns trigger language plpgsql as $$
       begin new.change_number := telecine_change_number(); return new; end $$`,
    `create function telecine_record_deleted_job() returns trigger language plpgsql as $$
       begin
         insert into deleted_jobs (job_id, client_id, change_number, deleted_at)
           values (old.job_id, old.client_id, telecine_change_number(),
             to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
           on conflict (job_id) do update
             set change_number = excluded.change_number, deleted_at = excluded.deleted_at;
         return null;
       end $$`,
    'alter table jobs alter column change_number set default telecine_change_number()',
    `create trigger jobs_number_changed before update of ${NUMBERED.join(', ')} on jobs
       for each row when (${changed}) execute function telecine_number_changed_job()`,
    `create trigger jobs_record_deleted after delete on jobs
       for each row execute function telecine_record_deleted_job()`,
  ];
}
