import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres, statementsOf } from './0001-release-0.1.ts';

/** Adds when and by whom a share was revoked, and finds the shares of a file and of a job. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  for (const statement of statementsOf(isSqlite ? CHANGES : forPostgres(CHANGES))) await sql.raw(statement).execute(db);
}

const CHANGES = `
alter table shares add column revoked_at text;
alter table shares add column revoked_by text;
create index shares_of_path on shares (client_id, path, share_id) where path is not null;
create index shares_of_job on shares (job_id, share_id) where job_id is not null;
`;
