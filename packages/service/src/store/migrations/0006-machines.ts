import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/** Adds the machine of a worker. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await sql.raw(isSqlite ? COLUMN : forPostgres(COLUMN)).execute(db);
}

const COLUMN = 'alter table workers add column machine text';
