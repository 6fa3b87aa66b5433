import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds the counts of events that are limited per minute, for services that share a database. A crash of the database
 * empties an unlogged table, which resets the counts; in return, a write costs no flush. On SQLite there is one service,
 * which counts in memory.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql`create unlogged table event_counts (
    key text collate "C" primary key, events integer not null, ends_at timestamptz not null)`.execute(db);
  await sql`create index event_counts_by_end on event_counts (ends_at)`.execute(db);
}
