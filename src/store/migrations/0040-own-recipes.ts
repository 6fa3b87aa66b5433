import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the recipes that clients have written themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('own_recipes')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('name', text, (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('definition', text, (c) => c.notNull())
    .addColumn('stored_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('own_recipes_key', ['client_id', 'name'])
    .execute();
}
