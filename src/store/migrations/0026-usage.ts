import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds what each client uses on a day, and what a job has reserved of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .alterTable('jobs')
    .addColumn('reserved_media_ms', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('client_usage')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('day', text, (c) => c.notNull())
    .addColumn('jobs', 'bigint', (c) => c.notNull())
    .addColumn('media_ms', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('client_usage_pk', ['client_id', 'day'] as never[])
    .execute();
}
