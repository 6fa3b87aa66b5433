import type { Kysely } from 'kysely';

/** Drops the index of sessions of `0047-oldest-tokens`: they all expire within hours, so none is looked for by its age. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('sessions_by_age').execute();
}
