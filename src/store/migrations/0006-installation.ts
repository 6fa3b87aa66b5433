import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';

/** Adds the id of the installation, by which services that share a disk tell their folders from those of others. */
export async function up(db: Kysely<{ installation: { id: string } }>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .execute();
  await db.insertInto('installation').values({ id: randomUUID() }).execute();
}
