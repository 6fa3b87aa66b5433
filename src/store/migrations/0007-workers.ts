import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the processes that run jobs, and the catalogues of their ffmpeg builds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('workers')
    .addColumn('worker_id', text, (c) => c.primaryKey())
    .addColumn('host_name', text, (c) => c.notNull())
    .addColumn('pid', 'integer', (c) => c.notNull())
    .addColumn('version', text, (c) => c.notNull())
    .addColumn('ffmpeg_version', text, (c) => c.notNull())
    .addColumn('build_key', text, (c) => c.notNull())
    .addColumn('catalogue_key', text, (c) => c.notNull())
    .addColumn('concurrency', 'integer', (c) => c.notNull())
    .addColumn('processors', 'integer', (c) => c.notNull())
    .addColumn('sandbox', text, (c) => c.notNull())
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('free_scratch_bytes', 'bigint', (c) => c.notNull())
    .addColumn('started_at', text, (c) => c.notNull())
    .addColumn('last_seen_at', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('catalogues')
    .addColumn('catalogue_key', text, (c) => c.primaryKey())
    .addColumn('content', isSqlite ? 'blob' : 'bytea', (c) => c.notNull())
    .execute();
}
