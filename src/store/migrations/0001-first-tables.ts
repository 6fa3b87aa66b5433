import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from 'kysely';

const isSqlite = (db: Kysely<unknown>): boolean => db.getExecutor().adapter instanceof SqliteAdapter;

/**
 * The type of text columns. Their order is that of the bytes on both databases; on PostgreSQL it would otherwise depend on
 * the language of the database.
 */
const textOf = (db: Kysely<unknown>) => (isSqlite(db) ? ('text' as const) : sql`text collate "C"`);

/**
 * On SQLite, creates a table WITHOUT ROWID: its rows are stored in the tree of the primary key, so an insert writes to
 * one tree instead of two. PostgreSQL has no such tables.
 */
function clustered<T extends string>(db: Kysely<unknown>, name: T): CreateTableBuilder<T, never> {
  const table = db.schema.createTable(name);
  return isSqlite(db) ? table.modifyEnd(sql`without rowid`) : table;
}

/**
 * An index costs each submission about a microsecond. A PENDING job is in three of these indexes, which 0002 replaces.
 * The partial indexes are written only when a job starts or ends.
 */
async function jobs(db: Kysely<unknown>): Promise<void> {
  const text = textOf(db);
  await clustered(db, 'jobs')
    .addColumn('job_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('status', text, (c) => c.notNull())
    .addColumn('phase', text)
    .addColumn('request', text, (c) => c.notNull())
    .addColumn('progress', text)
    .addColumn('retry_of', text)
    .addColumn('turn', 'bigint', (c) => c.notNull())
    .addColumn('attempt', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('fence', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('started_at', text)
    .addColumn('completed_at', text)
    .addColumn('cancel_requested_at', text)
    .addColumn('error', text)
    .addColumn('outputs', text)
    .addColumn('intent', text)
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('jobs');
  await index('jobs_of_client').columns(['client_id', 'status', 'job_id']).execute();
  await index('jobs_by_status').columns(['status', 'job_id']).execute();
  await index('jobs_waiting').columns(['client_id', 'turn']).where(sql`status`, '=', sql.lit('PENDING')).execute();
  await index('jobs_started').column('turn').where(sql`started_at`, 'is not', null).execute();
  await index('jobs_publishing').column('job_id').where(sql`intent`, 'is not', null).execute();
  await db.schema
    .createTable('job_logs')
    .addColumn('job_id', text, (c) => c.primaryKey())
    .addColumn('log', text, (c) => c.notNull())
    .execute();
}

async function idempotencyKeys(db: Kysely<unknown>): Promise<void> {
  const text = textOf(db);
  await clustered(db, 'idempotency_keys')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('idempotency_key', text, (c) => c.notNull())
    .addColumn('body_hash', text, (c) => c.notNull())
    .addColumn('job_id', text, (c) => c.notNull())
    .addColumn('used_at', text, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['client_id', 'idempotency_key'] as never[])
    .execute();
  await db.schema.createIndex('idempotency_keys_by_age').on('idempotency_keys').column('used_at').execute();
}

/** The key contains the state, so that one seek finds a client's first READY ticket, and one its deliveries. */
async function tickets(db: Kysely<unknown>): Promise<void> {
  const text = textOf(db);
  await clustered(db, 'tickets')
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('state', 'integer', (c) => c.notNull())
    .addColumn('place', 'bigint', (c) => c.notNull())
    .addColumn('job_id', text, (c) => c.notNull())
    .addColumn('receipt', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('head', 'integer', (c) => c.notNull())
    .addColumn('due_at', text)
    .addPrimaryKeyConstraint('tickets_pk', ['client_id', 'state', 'place', 'job_id'] as never[])
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on('tickets');
  await index('tickets_heads').columns(['place', 'job_id']).where(sql`head`, '=', sql.lit(1)).execute();
  await index('tickets_out').column('job_id').where(sql`state`, '=', sql.lit(2)).execute();
  await index('tickets_due').column('due_at').where(sql`due_at`, 'is not', null).execute();
}

async function access(db: Kysely<unknown>): Promise<void> {
  const text = textOf(db);
  await db.schema
    .createTable('clients')
    .addColumn('client_id', text, (c) => c.primaryKey())
    .addColumn('secret_hash', text, (c) => c.notNull())
    .addColumn('scopes', text, (c) => c.notNull())
    .addColumn('root', text)
    .addColumn('external_subject', text)
    .addColumn('limits', text)
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('revoked_at', text)
    .addColumn('tokens_not_before', text)
    .execute();
  // A subject may get a new client once its earlier client is revoked.
  await db.schema
    .createIndex('clients_by_external_subject')
    .on('clients')
    .column('external_subject')
    .unique()
    .where(sql`revoked_at`, 'is', null)
    .execute();
  await db.schema
    .createTable('refresh_tokens')
    .addColumn('token_hash', text, (c) => c.primaryKey())
    .addColumn('parent', text)
    .addColumn('family', text, (c) => c.notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('scopes', text, (c) => c.notNull())
    .addColumn('issued_at', text, (c) => c.notNull())
    .addColumn('expires_at', text, (c) => c.notNull())
    .addColumn('used_at', text)
    .execute();
  for (const column of ['parent', 'family', 'client_id', 'expires_at'])
    await db.schema.createIndex(`refresh_tokens_by_${column}`).on('refresh_tokens').column(column).execute();
  await db.schema
    .createTable('signing_keys')
    .addColumn('kid', text, (c) => c.primaryKey())
    .addColumn('secret', text, (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('retired_at', text)
    .execute();
  // If two services that start at once both add a first key, one of them fails.
  await sql`create unique index signing_keys_current on signing_keys ((retired_at is null)) where retired_at is null`.execute(
    db,
  );
}

export async function up(db: Kysely<unknown>): Promise<void> {
  await jobs(db);
  await idempotencyKeys(db);
  await tickets(db);
  await access(db);
}
