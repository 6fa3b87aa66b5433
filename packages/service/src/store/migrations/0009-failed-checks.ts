import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/** Adds the checks that failed at the last report of a worker, because of which it takes no jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await sql.raw(isSqlite ? COLUMN : forPostgres(COLUMN)).execute(db);
}

const COLUMN = 'alter table workers add column failed_checks text';
