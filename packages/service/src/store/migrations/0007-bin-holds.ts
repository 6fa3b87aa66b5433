import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds to entries of the bins where their files are, who moves them, and whether they are being deleted. The defaults are
 * for entries of services of the previous version.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? 'text' : 'text collate "C"';
  for (const column of [
    `data ${text} not null default ''`,
    `holder ${text} not null default ''`,
    `held_until ${text} not null default ''`,
    'given_up integer not null default 0',
  ])
    await sql.raw(`alter table bin_entries add column ${column}`).execute(db);
}
