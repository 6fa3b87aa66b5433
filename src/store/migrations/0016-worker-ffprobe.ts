import type { Kysely } from 'kysely';

/** Adds whether a worker has ffprobe. Null for workers of earlier versions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workers').addColumn('has_ffprobe', 'integer').execute();
}
