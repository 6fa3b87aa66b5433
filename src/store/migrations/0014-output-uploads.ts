import { type Kysely, SqliteAdapter, sql } from 'kysely';

/** Adds the uploads of outputs to an object store, and the keys that running jobs have reserved for their outputs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('output_uploads')
    .addColumn('job_id', text, (c) => c.notNull())
    .addColumn('fence', 'integer', (c) => c.notNull())
    .addColumn('bucket', text, (c) => c.notNull())
    .addColumn('key', text, (c) => c.notNull())
    .addColumn('upload_id', text)
    .addColumn('at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('output_uploads_pk', ['job_id', 'fence', 'bucket', 'key'] as never[])
    .execute();
  await db.schema
    .createTable('output_reservations')
    .addColumn('bucket', text, (c) => c.notNull())
    .addColumn('key', text, (c) => c.notNull())
    .addColumn('job_id', text, (c) => c.notNull())
    .addColumn('fence', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('output_reservations_pk', ['bucket', 'key'] as never[])
    .execute();
  await db.schema
    .createIndex('output_reservations_job')
    .on('output_reservations')
    .columns(['job_id', 'fence'])
    .execute();
}
