import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the files that are about to appear, which count until their publisher has looked. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('pending_files')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('path', text, (c) => c.notNull())
    .addColumn('version', text, (c) => c.notNull())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('arrived', 'integer', (c) => c.notNull())
    .addColumn('renewed_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('pending_files_pk', ['client_id', 'path', 'version'] as never[])
    .execute();
  await db.schema.createIndex('pending_files_by_time').on('pending_files').column('renewed_at').execute();
}
