import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the sessions of browsers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('sessions')
    .addColumn('session_hash', text, (c) => c.primaryKey().notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('scopes', text, (c) => c.notNull())
    .addColumn('issued_at', text, (c) => c.notNull())
    .addColumn('expires_at', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_end').on('sessions').column('expires_at').execute();
}
