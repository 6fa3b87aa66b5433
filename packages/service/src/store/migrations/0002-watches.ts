import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres, statementsOf } from './0001-release-0.1.ts';

/** Adds watch folders: watches, the ledger of their files, the outputs of their jobs, and the watch of a job and of a webhook event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of statementsOf(isSqlite ? TABLES : forPostgres(TABLES))) await sql.raw(statement).execute(db);
}

/**
 * The indexes of `watched_files` are written with each change of a row. Each answers one question of a scan, of a submission or of a list,
 * by one end: what is due, what a job was for, what was renamed, which sources are to be moved, and what was not seen for long.
 */
const TABLES = `
alter table jobs add column watch_id text;
create index jobs_of_watch on jobs (watch_id, status, job_id) where watch_id is not null;

alter table webhook_messages add column watch_id text;
alter table webhook_deliveries add column watch_id text;

create table watches (
  watch_id text not null primary key,
  client_id text not null,
  settings text not null,
  state text not null,
  created_at text not null,
  changed_at text not null,
  source_since text,
  first_scan_at text,
  unreachable_since text,
  waiting_for text,
  stopped text,
  last_scan text,
  asked_at text,
  attention_at text,
  attention_due integer,
  notification_hash text
);
create index watches_of_client on watches (client_id, watch_id);
create unique index watches_by_notification on watches (notification_hash) where notification_hash is not null;
create index watches_running on watches (watch_id) where state <> 'PAUSED';

create table watched_files (
  watch_id text not null,
  path text not null,
  version text not null,
  bytes bigint not null,
  file_key text,
  state text not null,
  skip_reason text,
  job_id text,
  attempts integer not null default 0,
  due_at text,
  failure text,
  origins text,
  source text,
  source_target text,
  settle_at text,
  replaces integer,
  outdated integer,
  seen_at text not null,
  changed_at text not null,
  constraint watched_files_pk primary key (watch_id, path)
) without rowid;
create index watched_files_by_state on watched_files (watch_id, state, path);
create index watched_files_due on watched_files (watch_id, state, due_at) where due_at is not null;
create index watched_files_of_job on watched_files (job_id) where job_id is not null;
create index watched_files_by_key on watched_files (watch_id, file_key) where file_key is not null;
create index watched_files_sources on watched_files (watch_id, settle_at) where settle_at is not null;
create index watched_files_seen on watched_files (watch_id, seen_at);

create table watch_outputs (
  client_id text not null,
  path text not null,
  job_id text not null,
  bytes bigint,
  fingerprint text,
  pending integer,
  origins text not null,
  created_at text not null,
  constraint watch_outputs_pk primary key (client_id, path)
) without rowid;
create index watch_outputs_of_job on watch_outputs (job_id);
create index watch_outputs_by_fingerprint on watch_outputs (client_id, fingerprint) where fingerprint is not null;
create index watch_outputs_by_time on watch_outputs (created_at);
`;
