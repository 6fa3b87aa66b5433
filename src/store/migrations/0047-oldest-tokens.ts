import type { Kysely } from 'kysely';

/** Adds indexes that find the oldest refresh tokens and sessions of a client. That of refresh tokens replaces one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['refresh_tokens', 'sessions'])
    await db.schema.createIndex(`${table}_by_age`).on(table).columns(['client_id', 'issued_at']).execute();
  await db.schema.dropIndex('refresh_tokens_by_client_id').execute();
}
