import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the upload links that have been used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('used_links')
    .addColumn('link_id', text, (c) => c.primaryKey().notNull())
    .addColumn('kept_until', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('used_links_by_end').on('used_links').column('kept_until').execute();
}
