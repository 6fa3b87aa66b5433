import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the files that clients have published, whose bytes the quota of storage counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('client_files')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('path', text, (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('checked_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('client_files_pk', ['client_id', 'path'] as never[])
    .execute();
  await db.schema.createIndex('client_files_by_check').on('client_files').column('checked_at').execute();
}
