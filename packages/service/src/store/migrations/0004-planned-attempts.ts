import { type Kysely, SqliteAdapter, sql } from 'kysely';
import { forPostgres } from './0001-release-0.1.ts';

/** Adds the planned time of the next attempt of a delivery that a person made due before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  await sql.raw(isSqlite ? COLUMN : forPostgres(COLUMN)).execute(db);
}

const COLUMN = 'alter table webhook_deliveries add column planned_at text';
