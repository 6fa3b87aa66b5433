import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/** Adds when a client was last used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await sql.raw(isSqlite ? COLUMN : forPostgres(COLUMN)).execute(db);
}

const COLUMN = 'alter table clients add column last_used_at text';
