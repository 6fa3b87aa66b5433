import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/**
 * Adds who has run a job again for its client, and an index that finds the jobs that run one again. Audit records of deleted jobs name the
 * client that acted, and the client of the job in their details.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of [...(isSqlite ? COLUMNS : COLUMNS.map(forPostgres)), ...(isSqlite ? SQLITE : POSTGRES)])
    await sql.raw(statement).execute(db);
}

const COLUMNS = [
  'alter table jobs add column submitted_by text',
  'create index jobs_by_retried on jobs (retry_of, job_id) where retry_of is not null',
];

const recordSubmission = (json: (...members: string[]) => string): string => `
  insert into audit (audit_id, action, outcome, client_id, target, details)
  values (
    old.job_id, case when old.retry_of is null then 'job.submit' else 'job.retry' end, 'done',
    coalesce(old.submitted_by, old.client_id), old.job_id,
    case
      when old.submitted_by is not null then ${json("'retryOf'", 'old.retry_of', "'client'", 'old.client_id')}
      when old.retry_of is not null then ${json("'retryOf'", 'old.retry_of')}
    end
  ) on conflict (audit_id) do nothing;`;

const SQLITE = [
  'drop trigger jobs_audit_deleted',
  `create trigger jobs_audit_deleted after delete on jobs begin ${recordSubmission((...members) => `json_object(${members.join(', ')})`)} end`,
];

const POSTGRES = [
  `create or replace function telecine_audit_deleted_job() returns trigger language plpgsql as $$
     begin ${recordSubmission((...members) => `json_build_object(${members.join(', ')})::text`)} return null; end $$`,
];
