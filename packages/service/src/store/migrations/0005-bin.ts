import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Creates the table of deleted files that can be restored. On PostgreSQL, texts must sort by bytes, as on SQLite. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? 'text' : 'text collate "C"';
  const statements = [
    `create table bin_entries (
      entry_id ${text} not null primary key,
      client_id ${text} not null,
      path ${text} not null,
      bytes bigint not null,
      counted ${text} not null,
      deleted_at ${text} not null,
      expires_at ${text} not null
    )`,
    'create index bin_entries_of_client on bin_entries (client_id, deleted_at)',
    'create index bin_entries_by_end on bin_entries (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
