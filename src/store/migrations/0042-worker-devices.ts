import type { Kysely } from 'kysely';

/** Adds the hardware devices of a worker. Null for those without. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('workers').addColumn('devices', 'text').execute();
}
