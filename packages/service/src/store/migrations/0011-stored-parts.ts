import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres, statementsOf } from './0001-release-0.1.ts';

/** Adds tables for long publish intents and for outputs that expire after their job was deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of [...statementsOf(isSqlite ? TABLES : forPostgres(TABLES)), ...(isSqlite ? SQLITE : POSTGRES)])
    await sql.raw(statement).execute(db);
}

const TABLES = `
create table job_intents (
  job_id text not null,
  list text not null,
  first integer not null,
  entries text not null,
  constraint job_intents_pk primary key (job_id, list, first)
);

create table expiring_outputs (
  job_id text not null,
  first integer not null,
  outputs text not null,
  constraint expiring_outputs_pk primary key (job_id, first)
);
`;

const DELETE_INTENT = 'delete from job_intents where job_id = old.job_id;';

/** `output_expiries.outputs` is empty: the outputs are only in the tables of the job. */
const KEEP_OUTPUTS = `
  insert into expiring_outputs (job_id, first, outputs)
  select old.job_id, parts.first, parts.outputs
  from (
    select 0 as first, old.outputs as outputs
    union all select first, outputs from job_outputs where job_id = old.job_id
  ) as parts
  where exists (select 1 from output_expiries where job_id = old.job_id and outputs = '');`;

/** Triggers, so that services of the previous version cannot forget to do it. */
const SQLITE = [
  `create trigger jobs_intent_deleted after update of intent on jobs when old.intent is not null and new.intent is null
   begin ${DELETE_INTENT} end`,
  `create trigger jobs_outputs_kept before delete on jobs when old.outputs_expire_at is not null begin ${KEEP_OUTPUTS} end`,
];

const POSTGRES = [
  `create function telecine_delete_intent() returns trigger language plpgsql as $$
     begin ${DELETE_INTENT} return null; end $$`,
  `create trigger jobs_intent_deleted after update of intent on jobs
     for each row when (old.intent is not null and new.intent is null) execute function telecine_delete_intent()`,
  `create function telecine_keep_outputs() returns trigger language plpgsql as $$
     begin ${KEEP_OUTPUTS} return old; end $$`,
  `create trigger jobs_outputs_kept before delete on jobs
     for each row when (old.outputs_expire_at is not null) execute function telecine_keep_outputs()`,
];
