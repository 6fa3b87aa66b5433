import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Creates the table of shared links. On PostgreSQL, texts must sort by bytes, as on SQLite. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? 'text' : 'text collate "C"';
  const statements = [
    `create table shares (
      share_id ${text} not null primary key,
      link_hash ${text} not null,
      client_id ${text} not null,
      path ${text},
      fingerprint ${text},
      job_id ${text},
      note ${text},
      created_at ${text} not null,
      expires_at ${text} not null,
      uses integer not null,
      last_used_at ${text}
    )`,
    'create unique index shares_by_link on shares (link_hash)',
    'create index shares_of_client on shares (client_id, share_id)',
    'create index shares_by_end on shares (expires_at)',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
