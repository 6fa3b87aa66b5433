import { Client } from 'pg';
import type { JobStatus } from '../../../packages/contract/src/domain/states.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import { type AuditResult, auditOf, type Change } from '../soak/audit.ts';
import { DATABASE } from './cluster.ts';

/** Adds a trigger that records every change of a job in its own transaction. */
export const installAudit = (postgres: PostgresServer): Promise<void> =>
  postgres.sql(
    `create table soak_changes (
       seq bigserial primary key, job_id text, was text, became text, fence_was int, fence int, error text
     );
     create function soak_record() returns trigger language plpgsql as $$ begin
       insert into soak_changes (job_id, was, became, fence_was, fence, error)
       values (new.job_id, old.status, new.status, old.fence, new.fence, new.error);
       return null;
     end $$;
     create trigger soak_watch after update on jobs for each row
       when (old.status <> new.status or old.fence <> new.fence) execute function soak_record();`,
    DATABASE,
  );

export async function queryCluster(
  postgres: PostgresServer,
  text: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client({ connectionString: postgres.url(DATABASE), application_name: 'soak' });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

export async function readAudit(postgres: PostgresServer): Promise<AuditResult> {
  const rows = await queryCluster(postgres, 'select * from soak_changes order by seq');
  return auditOf(
    rows.map(
      (row): Change => ({
        jobId: String(row['job_id']),
        was: String(row['was']) as JobStatus,
        became: String(row['became']) as JobStatus,
        fenceWas: Number(row['fence_was']),
        fence: Number(row['fence']),
        error: row['error'] === null ? null : String(row['error']),
      }),
    ),
  );
}
