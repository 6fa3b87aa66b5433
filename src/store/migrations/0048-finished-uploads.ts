import { type Kysely, sql } from 'kysely';

/** Adds an index of the finished uploads of a client, so that only its latest stay. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('resumable_uploads_finished')
    .on('resumable_uploads')
    .columns(['client_id', 'expires_at', 'upload_id'])
    .where(sql`published`, '=', 1)
    .execute();
}
