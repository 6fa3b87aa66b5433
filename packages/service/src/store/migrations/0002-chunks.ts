import { type Kysely, sql } from 'kysely';
import { columnTypes } from './0001-first-release.ts';

/** Creates the table of the parts of jobs that several workers encode. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [TABLE, BY_JOB, BY_CLIENT]) await sql.raw(columnTypes(db, statement)).execute(db);
}

const TABLE = `create table job_chunks (
  chunk_id text primary key,
  job_id text not null,
  client_id text not null,
  place integer not null,
  task text not null,
  fairness_rank bigint not null,
  state text not null default 'READY',
  fence integer not null default 0,
  job_fence integer,
  worker_id text,
  reported_at text,
  done_ms bigint not null default 0,
  facts text,
  error text
)`;

const BY_JOB = 'create unique index job_chunks_of_job on job_chunks (job_id, place)';

const BY_CLIENT = "create index job_chunks_of_client on job_chunks (client_id, fairness_rank) where state <> 'DONE'";
