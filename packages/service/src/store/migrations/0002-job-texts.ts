import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Creates the tables of the search of jobs. On PostgreSQL, texts must sort by bytes, as on SQLite. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? 'text' : 'text collate "C"';
  const statements = [
    `create table job_texts (job_id ${text} primary key, client_id ${text} not null, content text not null)
      ${isSqlite ? 'without rowid' : ''}`,
    'create index job_texts_of_client on job_texts (client_id, job_id)',
    `create table job_text_position (number bigint not null, job_id ${text} not null)`,
    "insert into job_text_position values (0, '')",
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
