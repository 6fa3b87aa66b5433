import type { PostgresServer } from '../../support/postgres.ts';
import { DATABASE } from '../cluster/cluster.ts';
import { queryCluster } from '../cluster/cluster-audit.ts';

/** A job of a watch, as the database has it. */
export interface WatchedJobRow {
  readonly jobId: string;
  readonly watchId: string;
  readonly status: string;
  readonly input: string;
  /** The code of its failure. */
  readonly code: string | null;
}

/** A row of the ledger of watches. */
export interface LedgerRow {
  readonly watchId: string;
  readonly path: string;
  readonly state: string;
  readonly source: string | null;
  readonly jobId: string | null;
  readonly code: string | null;
}

/** Adds a trigger that records each job of a watch whose file already has another job that is unfinished or complete. */
export const installWatchAudit = (postgres: PostgresServer): Promise<void> =>
  postgres.sql(
    `create table soak_twice (job_id text, other text, status text);
     create function soak_record_twice() returns trigger language plpgsql as $$ begin
       insert into soak_twice select new.job_id, other.job_id, other.status from jobs other
       where other.watch_id = new.watch_id and other.job_id <> new.job_id
         and other.status in ('PENDING', 'PROCESSING', 'COMPLETED')
         and other.request::json ->> 'input' = new.request::json ->> 'input';
       return null;
     end $$;
     create trigger soak_twice after insert on jobs for each row
       when (new.watch_id is not null) execute function soak_record_twice();`,
    DATABASE,
  );

/** The second jobs of files, one sentence for each. */
export async function readTwice(postgres: PostgresServer): Promise<readonly string[]> {
  const rows = await queryCluster(postgres, 'select * from soak_twice');
  return rows.map((row) => `job ${row['job_id']} is for a file of which job ${row['other']} was ${row['status']}`);
}

export async function readJobs(postgres: PostgresServer): Promise<readonly WatchedJobRow[]> {
  const rows = await queryCluster(
    postgres,
    `select job_id, watch_id, status, request::json ->> 'input' as input, error::json ->> 'code' as code
     from jobs where watch_id is not null`,
  );
  return rows.map((row) => ({
    jobId: String(row['job_id']),
    watchId: String(row['watch_id']),
    status: String(row['status']),
    input: String(row['input']),
    code: textOrNull(row['code']),
  }));
}

export async function readLedger(postgres: PostgresServer): Promise<readonly LedgerRow[]> {
  const rows = await queryCluster(
    postgres,
    `select watch_id, path, state, source, job_id, failure::json ->> 'code' as code from watched_files`,
  );
  return rows.map((row) => ({
    watchId: String(row['watch_id']),
    path: String(row['path']),
    state: String(row['state']),
    source: textOrNull(row['source']),
    jobId: textOrNull(row['job_id']),
    code: textOrNull(row['code']),
  }));
}

/** Whether a job is unfinished. */
export const hasUnfinished = async (postgres: PostgresServer): Promise<boolean> =>
  (await queryCluster(postgres, `select 1 from jobs where status in ('PENDING', 'PROCESSING') limit 1`)).length > 0;

/** Ends the leases of watches, as if they had expired: another service goes on, while the one before may still be at work. */
export const endWatchLeases = (postgres: PostgresServer): Promise<unknown> =>
  queryCluster(postgres, `delete from leases where name = 'watches'`);

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));
