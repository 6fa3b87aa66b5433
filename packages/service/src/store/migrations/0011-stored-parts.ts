import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres, statementsOf } from './0001-release-0.1.ts';
import { changeInsertJobs } from './0010-client-turns.ts';

/** Adds a table for long publish intents, and how many bytes the records of clients take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of [...statementsOf(isSqlite ? TABLES : forPostgres(TABLES)), ...(isSqlite ? SQLITE : POSTGRES)])
    await sql.raw(statement).execute(db);
  if (!isSqlite) for (const [part, replacement] of COUNT_RECORDS) await changeInsertJobs(db, part, replacement);
}

const TABLES = `
create table job_intents (
  job_id text not null,
  list text not null,
  first integer not null,
  entries text not null,
  constraint job_intents_pk primary key (job_id, list, first)
);
alter table jobs add column record_bytes bigint;
alter table client_usage add column record_bytes bigint not null default 0;
alter table client_storage add column path_bytes bigint not null default 0;
`;

const DELETE_INTENT = 'delete from job_intents where job_id = old.job_id;';

/** Triggers delete the parts, because services of the previous version do not know them. */
const SQLITE = [
  `create trigger jobs_intent_deleted after update of intent on jobs when old.intent is not null and new.intent is null
   begin ${DELETE_INTENT} end`,
];

/** See `recordBytesOf`. */
const RECORD_BYTES = `(select coalesce(sum(2048 + 2 * octet_length(request) + 2 * coalesce(octet_length(warning_list), 0)), 0)
  from unnest(requests, job_clients, warning_lists) as job (request, of_client, warning_list)
  where request is not null and coalesce(of_client, client) = client)`;

/** Changes the function that stores jobs, because it is one statement that adds to the usage of their clients. */
const COUNT_RECORDS = [
  [
    'media_ms) values (client, left(created, 10), jobs_of_client, 0)',
    `media_ms, record_bytes) values (client, left(created, 10), jobs_of_client, 0, ${RECORD_BYTES})`,
  ],
  [
    'set jobs = client_usage.jobs + excluded.jobs',
    'set jobs = client_usage.jobs + excluded.jobs, record_bytes = client_usage.record_bytes + excluded.record_bytes',
  ],
] as const;

const POSTGRES = [
  `create function telecine_delete_intent() returns trigger language plpgsql as $$
     begin ${DELETE_INTENT} return null; end $$`,
  `create trigger jobs_intent_deleted after update of intent on jobs
     for each row when (old.intent is not null and new.intent is null) execute function telecine_delete_intent()`,
];
