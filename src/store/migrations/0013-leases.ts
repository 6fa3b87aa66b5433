import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds leases, by which services agree who changes an object of a store, and find what a crashed one left. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('leases')
    .addColumn('name', text, (c) => c.primaryKey())
    .addColumn('holder', text, (c) => c.notNull())
    .addColumn('expires_at', text, (c) => c.notNull())
    .addColumn('data', 'text')
    .execute();
}
