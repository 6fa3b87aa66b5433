import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds short tasks that machines without ffmpeg leave to workers, such as probes. The table is nearly always empty. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('tasks')
    .addColumn('task_id', text, (c) => c.primaryKey())
    .addColumn('kind', text, (c) => c.notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('request', text, (c) => c.notNull())
    .addColumn('worker_id', text)
    .addColumn('leased_until', text)
    .addColumn('result', text)
    .addColumn('deadline_at', text, (c) => c.notNull())
    .execute();
}
