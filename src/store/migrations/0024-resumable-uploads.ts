import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds uploads that a client can resume after an interruption. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('resumable_uploads')
    .addColumn('upload_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('size_bytes', 'bigint', (c) => c.notNull())
    .addColumn('offset_bytes', 'bigint', (c) => c.notNull())
    .addColumn('metadata', 'text', (c) => c.notNull())
    .addColumn('precondition', 'text', (c) => c.notNull())
    .addColumn('data', 'text', (c) => c.notNull())
    .addColumn('published', 'integer', (c) => c.notNull())
    .addColumn('holder', text)
    .addColumn('expires_at', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('resumable_uploads_by_expiry')
    .on('resumable_uploads')
    .columns(['expires_at', 'upload_id'])
    .execute();
  // Counts the unfinished uploads of a client.
  await db.schema
    .createIndex('resumable_uploads_open')
    .on('resumable_uploads')
    .columns(['client_id', 'expires_at'])
    .where(sql`published`, '=', 0)
    .execute();
}
