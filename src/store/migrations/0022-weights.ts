import type { Kysely } from 'kysely';

/**
 * Adds the weight of a job: what it is estimated to use of a worker, in hundredths of a slot. Jobs of earlier versions
 * have that of an ordinary conversion, or of a thumbnail in the light lane.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['jobs', 'tickets'])
    await db.schema
      .alterTable(table)
      .addColumn('weight', 'integer', (c) => c.notNull().defaultTo(100))
      .execute();
}
