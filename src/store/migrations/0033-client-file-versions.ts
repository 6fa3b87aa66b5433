import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds versions to counted files, so that a late correction changes only what it has seen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .alterTable('client_files')
    .addColumn('version', text, (c) => c.notNull().defaultTo(''))
    .execute();
}
