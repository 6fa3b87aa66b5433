import type { Kysely } from 'kysely';

/** Adds when an attempt of a job first met a storage that was down, so that it waits for a bounded time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('storage_down_since', 'text').execute();
}
