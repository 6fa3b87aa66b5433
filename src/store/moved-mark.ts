import type { Kysely } from 'kysely';
import { MIGRATION_TABLE, migrationsIn } from './migration-table.ts';
import type { Schema } from './schema.ts';

/** The database was moved, and a service must not use it any more. The message is for the operator. */
export class DatabaseMoved extends Error {
  override readonly name = 'DatabaseMoved';

  constructor(target: string) {
    super(
      `The SQLite database was moved to ${target}. Set TELECINE_DATABASE_URL to that database. ` +
        'To use the SQLite database again, without the jobs since the move, run: telecine db move --undo',
    );
  }
}

/**
 * The mark is the name of a migration that no version has. So versions that do not know the mark reject the database
 * too, and print the name, which contains the target.
 */
const PREFIX = 'moved to ';

/** Marks the database as moved to `target`, a name without password. */
export async function markMoved(db: Kysely<Schema>, target: string): Promise<void> {
  const row = { name: `${PREFIX}${target}`, timestamp: new Date().toISOString() };
  await migrationsIn(db).insertInto(MIGRATION_TABLE).values(row).execute();
}

/** The target of the move; undefined if the database was not moved. */
export async function movedTo(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await migrationsIn(db)
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .where('name', 'like', `${PREFIX}%`)
    .executeTakeFirst();
  return row?.name.slice(PREFIX.length);
}

/**
 * Removes the mark, and gives the database a new installation id: it and the target are two installations from now on,
 * and a move to that target is rejected. Resolves to false if there is no mark.
 */
export async function unmarkMoved(db: Kysely<Schema>, installationId: string): Promise<boolean> {
  if ((await movedTo(db)) === undefined) return false;
  await migrationsIn(db).deleteFrom(MIGRATION_TABLE).where('name', 'like', `${PREFIX}%`).execute();
  await db.updateTable('installation').set({ id: installationId }).execute();
  return true;
}
