import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds how many jobs were accepted, started and ended, by time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('job_history')
    .addColumn('step', 'integer', (c) => c.notNull())
    .addColumn('at', text, (c) => c.notNull())
    .addColumn('event', text, (c) => c.notNull())
    .addColumn('code', text, (c) => c.notNull())
    .addColumn('jobs', 'bigint', (c) => c.notNull())
    .addColumn('waited_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('job_history_key', ['step', 'at', 'event', 'code'])
    .execute();
}
