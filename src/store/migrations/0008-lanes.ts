import { type Kysely, SqliteAdapter, sql } from 'kysely';

const COPIED = ['client_id', 'state', 'place', 'job_id', 'receipt', 'head', 'due_at'].map((name) => sql.ref(name));

/**
 * Adds what a job requires of a worker: its lane and its needs. Tickets with the same lane and needs form a queue, whose
 * name is part of the key, so that one seek finds a client's first READY ticket in it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .alterTable('jobs')
    .addColumn('lane', 'text', (c) => c.notNull().defaultTo('full'))
    .execute();
  await db.schema.alterTable('jobs').addColumn('needs', 'text').execute();

  const table = db.schema
    .createTable('tickets_with_queue')
    .addColumn('client_id', text, (c) => c.notNull())
    // Earlier versions write no queue.
    .addColumn('queue', text, (c) => c.notNull().defaultTo('conversions'))
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('place', 'bigint', (c) => c.notNull())
    .addColumn('job_id', text, (c) => c.notNull())
    .addColumn('receipt', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('head', 'integer', (c) => c.notNull())
    .addColumn('due_at', text)
    .addPrimaryKeyConstraint('tickets_with_queue_pk', ['client_id', 'queue', 'state', 'place', 'job_id'] as never[]);
  await (isSqlite ? table.modifyEnd(sql`without rowid`) : table).execute();
  const columns = sql.join(COPIED);
  await sql`insert into tickets_with_queue (queue, ${columns}) select 'conversions', ${columns} from tickets`.execute(
    db,
  );
  await db.schema.dropTable('tickets').execute();
  await db.schema.alterTable('tickets_with_queue').renameTo('tickets').execute();
  const index = (name: string) => db.schema.createIndex(name).on('tickets');
  await index('tickets_heads').columns(['queue', 'place', 'job_id']).where(sql`head`, '=', sql.lit(1)).execute();
  await index('tickets_out').column('job_id').where(sql`state`, '=', sql.lit(2)).execute();
  await index('tickets_due').column('due_at').where(sql`due_at`, 'is not', null).execute();
}
