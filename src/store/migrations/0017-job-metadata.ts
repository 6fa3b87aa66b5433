import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds the metadata of jobs for lists that select by it: a row for each name and value, with the hash of both, so that
 * long values make no long index. It goes with its job, also if an earlier version deletes that.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  const table = db.schema
    .createTable('job_metadata')
    .addColumn('job_id', text, (c) => c.notNull().references('jobs.job_id').onDelete('cascade'))
    .addColumn('pair_hash', text, (c) => c.notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('job_metadata_pk', ['job_id', 'pair_hash'] as never[]);
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  const index = (name: string) => db.schema.createIndex(name).on('job_metadata');
  await index('job_metadata_of_client').columns(['client_id', 'pair_hash', 'job_id']).execute();
  await index('job_metadata_of_all').columns(['pair_hash', 'job_id']).execute();
}
