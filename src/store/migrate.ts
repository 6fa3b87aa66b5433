import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { MIGRATION_TABLE, migrationsIn } from './migration-table.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as fewerJobIndexes from './migrations/0002-fewer-job-indexes.ts';
import * as jobListIndex from './migrations/0003-job-list-index.ts';
import * as jobWarnings from './migrations/0004-job-warnings.ts';
import * as jobCompletionIndex from './migrations/0005-job-completion-index.ts';
import * as installation from './migrations/0006-installation.ts';
import { DatabaseMoved, movedTo } from './moved-mark.ts';
import type { Schema } from './schema.ts';

/** Sorted by name. The database stores the names, so never rename, reorder or change a released migration. */
const MIGRATIONS: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-fewer-job-indexes': fewerJobIndexes,
  '0003-job-list-index': jobListIndex,
  '0004-job-warnings': jobWarnings,
  '0005-job-completion-index': jobCompletionIndex,
  '0006-installation': installation,
};

const migratorOf = (db: Kysely<Schema>): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => MIGRATIONS },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  });

/** The migrations of this version, in order. `at`: when the database was migrated; absent if it was not. */
export async function migrationsOf(
  db: Kysely<Schema>,
): Promise<readonly { readonly name: string; readonly at?: string }[]> {
  const all = await migratorOf(db).getMigrations();
  return all.map(({ name, executedAt }) => ({ name, ...(executedAt && { at: executedAt.toISOString() }) }));
}

/**
 * Migrates the tables to this version. Throws if a newer version has already migrated them, and `DatabaseMoved` if they
 * were moved to another database.
 */
export async function migrate(db: Kysely<Schema>): Promise<void> {
  await rejectNewer(db);
  const { error } = await migratorOf(db).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated to this version.', { cause: error });
}

async function rejectNewer(db: Kysely<Schema>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return;
  const target = await movedTo(db);
  if (target !== undefined) throw new DatabaseMoved(target);
  const migrated = await migrationsIn(db).selectFrom(MIGRATION_TABLE).select('name').execute();
  const unknown = migrated.find(({ name }) => !(name in MIGRATIONS));
  if (unknown !== undefined)
    throw new Error(
      `A newer version of telecine has migrated the database ("${unknown.name}" is unknown to this one). ` +
        'Start that version, or restore a copy of the data folder from before the upgrade.',
    );
}
