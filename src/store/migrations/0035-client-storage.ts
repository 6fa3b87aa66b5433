import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the total of the files of each client, so that reading it costs the same however many files there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('client_storage')
    .addColumn('client_id', text, (c) => c.primaryKey())
    .addColumn('bytes', 'bigint', (c) => c.notNull())
    .addColumn('checked_at', text, (c) => c.notNull())
    .execute();
  await db.schema.createIndex('client_storage_by_check').on('client_storage').column('checked_at').execute();
  await sql`insert into client_storage (client_id, bytes, checked_at)
    select client_id, cast(sum(bytes) as bigint), '' from client_files group by client_id`.execute(db);
}
