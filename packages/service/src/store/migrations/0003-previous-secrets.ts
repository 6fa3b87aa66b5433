import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the secrets before a rotation, which work for some more hours. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? 'text' : 'text collate "C"';
  await sql.raw(`alter table clients add column previous_secret ${text}`).execute(db);
}
