import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds the audit log. Triggers reject changes of its records, and deletions of those that are not older than
 * `installation.audit_forgotten_before`, so that no mistake in the code can change the log. Another one turns each deleted job
 * into the record of its submission, which the log read from the job until then.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .alterTable('installation')
    .addColumn('audit_forgotten_before', text, (c) => c.notNull().defaultTo(''))
    .execute();
  const table = db.schema
    .createTable('audit')
    .addColumn('audit_id', text, (c) => c.primaryKey())
    .addColumn('action', 'text', (c) => c.notNull())
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('via', 'text')
    .addColumn('client_id', text)
    .addColumn('target', text)
    .addColumn('address', 'text')
    .addColumn('request_id', 'text')
    .addColumn('code', 'text')
    .addColumn('details', 'text');
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  for (const statement of isSqlite ? SQLITE_TRIGGERS : POSTGRES_TRIGGERS) await sql.raw(statement).execute(db);
}

/** The columns and values of the record of a submission, in a trigger on the job `old`. `json`: makes a JSON object. */
const submission = (json: (key: string, value: string) => string): string => `
  insert into audit (audit_id, action, outcome, client_id, target, details)
  values (
    old.job_id, case when old.retry_of is null then 'job.submit' else 'job.retry' end, 'done', old.client_id, old.job_id,
    case when old.retry_of is not null then ${json('retryOf', 'old.retry_of')} end
  ) on conflict (audit_id) do nothing;`;

const SQLITE_TRIGGERS = [
  `create trigger jobs_audit_deleted after delete on jobs begin ${submission((k, v) => `json_object('${k}', ${v})`)} end`,
  `create trigger audit_unchanged before update on audit
   begin select raise(abort, 'audit records cannot be changed'); end`,
  `create trigger audit_kept before delete on audit
     when old.audit_id >= (select audit_forgotten_before from installation)
   begin select raise(abort, 'audit records cannot be deleted'); end`,
];

const POSTGRES_TRIGGERS = [
  `create function telecine_audit_deleted_job() returns trigger language plpgsql as $$
     begin ${submission((k, v) => `json_build_object('${k}', ${v})::text`)} return null; end $$`,
  `create trigger jobs_audit_deleted after delete on jobs
     for each row execute function telecine_audit_deleted_job()`,
  `create function telecine_keep_audit() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' then
         if old.audit_id < (select audit_forgotten_before from installation) then return old; end if;
         raise exception 'audit records cannot be deleted';
       end if;
       raise exception 'audit records cannot be changed';
     end $$`,
  `create trigger audit_unchanged before update or delete on audit
     for each row execute function telecine_keep_audit()`,
  `create trigger audit_not_truncated before truncate on audit
     for each statement execute function telecine_keep_audit()`,
];
