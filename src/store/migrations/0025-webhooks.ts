import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds webhooks: receivers of events, their secrets, and the deliveries, which are the outbox until they end and then the
 * log. The partial indexes contain only unfinished deliveries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const text = isSqlite ? ('text' as const) : sql`text collate "C"`;
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('webhook_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('events', 'text')
    .addColumn('description', 'text')
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('disabled_at', text)
    .addColumn('disabled_reason', 'text')
    .addColumn('failing_since', text)
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_of_client')
    .on('webhook_endpoints')
    .columns(['client_id', 'webhook_id'])
    .execute();
  await db.schema
    .createTable('webhook_secrets')
    // An endpoint, or a client with its default secret.
    .addColumn('owner', text, (c) => c.notNull())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('expires_at', text)
    .addPrimaryKeyConstraint('webhook_secrets_pk', ['owner', 'secret'] as never[])
    .execute();
  await db.schema
    .createTable('webhook_messages')
    .addColumn('message_id', text, (c) => c.primaryKey())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('job_id', text)
    .addColumn('event', 'text', (c) => c.notNull())
    .addColumn('payload', 'text', (c) => c.notNull())
    .addColumn('created_at', text, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('delivery_id', text, (c) => c.primaryKey())
    .addColumn('message_id', text, (c) => c.notNull())
    .addColumn('client_id', text, (c) => c.notNull())
    .addColumn('job_id', text)
    .addColumn('webhook_id', text)
    .addColumn('url', 'text')
    .addColumn('receiver', text, (c) => c.notNull())
    .addColumn('state', text, (c) => c.notNull())
    .addColumn('receipt', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('is_leased', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('due_at', text, (c) => c.notNull())
    .addColumn('attempt_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('attempts', 'text')
    .addColumn('reason', 'text')
    .addColumn('created_at', text, (c) => c.notNull())
    .addColumn('ended_at', text)
    .execute();
  const index = (name: string) => db.schema.createIndex(`webhook_deliveries_${name}`).on('webhook_deliveries');
  const pending = sql.lit('PENDING');
  await index('due').columns(['receiver', 'due_at']).where(sql`state`, '=', pending).execute();
  await index('pending').column('created_at').where(sql`state`, '=', pending).execute();
  await index('of_endpoint').columns(['webhook_id', 'delivery_id']).execute();
  await index('of_job').columns(['job_id', 'delivery_id']).execute();
  await index('of_message').column('message_id').execute();
  await index('ended').column('ended_at').where(sql`ended_at`, 'is not', null).execute();
}
