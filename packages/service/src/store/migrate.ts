import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as tables from './migrations/0001-release-0.1.ts';
import * as watches from './migrations/0002-watches.ts';
import * as lastUse from './migrations/0003-last-use.ts';
import * as plannedAttempts from './migrations/0004-planned-attempts.ts';
import * as openChanges from './migrations/0005-open-changes.ts';
import * as machines from './migrations/0006-machines.ts';
import * as retries from './migrations/0007-retries.ts';
import * as revokedShares from './migrations/0008-revoked-shares.ts';
import * as failedChecks from './migrations/0009-failed-checks.ts';
import * as clientTurns from './migrations/0010-client-turns.ts';
import * as storedParts from './migrations/0011-stored-parts.ts';
import * as polledWatches from './migrations/0012-polled-watches.ts';
import * as storageUse from './migrations/0013-breaking-storage-use.ts';
import * as watchColumns from './migrations/0014-breaking-watches.ts';
import * as uploadShares from './migrations/0015-upload-shares.ts';
import * as measuredKinds from './migrations/0016-measured-kinds.ts';
import { DatabaseMoved, DatabaseOfOtherVersion } from './operator-errors.ts';
import type { Schema } from './schema.ts';

/** The table with the names of the migrations that the database has had. */
export const MIGRATION_TABLE = 'telecine_migrations';

const migrationsIn = (db: Kysely<Schema>) =>
  db.withTables<{ [MIGRATION_TABLE]: { name: string; timestamp: string } }>();

/**
 * A moved database has a migration with a name that no version knows. So older versions reject the database too, and
 * print this name with the target.
 */
const PREFIX = 'moved to ';

/** Marks the database as moved to `target`, which must not contain a password. */
export async function markMoved(db: Kysely<Schema>, target: string): Promise<void> {
  const row = { name: `${PREFIX}${target}`, timestamp: new Date().toISOString() };
  await migrationsIn(db).insertInto(MIGRATION_TABLE).values(row).execute();
}

/** Returns where the database was moved. undefined: it was not moved. */
export async function movedTo(db: Kysely<Schema>): Promise<string | undefined> {
  const row = await migrationsIn(db)
    .selectFrom(MIGRATION_TABLE)
    .select('name')
    .where('name', 'like', `${PREFIX}%`)
    .executeTakeFirst();
  return row?.name.slice(PREFIX.length);
}

/**
 * Removes the mark of a move. Changes the id of the installation, so that the next move does not take the old copy for
 * a finished one. Resolves to false if there is no mark.
 */
export async function unmarkMoved(db: Kysely<Schema>, installationId: string): Promise<boolean> {
  if ((await movedTo(db)) === undefined) return false;
  await migrationsIn(db).deleteFrom(MIGRATION_TABLE).where('name', 'like', `${PREFIX}%`).execute();
  await db.updateTable('installation').set({ id: installationId }).execute();
  return true;
}

/** The first migration, which every database since the first release has. */
export const FIRST_MIGRATION = '0001-release-0.1';

export const BEFORE_RELEASE = 'A version of telecine before the first release has made the database.';

/**
 * The migrations, sorted by name. The database stores the names, so never rename, reorder or change a released
 * migration.
 *
 * During an upgrade, services of the previous version use the migrated tables. Therefore, a migration only adds tables,
 * indexes, and columns that are nullable or have a default. Remove what is no longer used in a later version. A
 * migration that breaks the previous version has `breaking` in its name (`0012-breaking-…`): older versions do not
 * start on its database.
 */
const MIGRATIONS: Record<string, Migration> = {
  [FIRST_MIGRATION]: tables,
  '0002-watches': watches,
  '0003-last-use': lastUse,
  '0004-planned-attempts': plannedAttempts,
  '0005-open-changes': openChanges,
  '0006-machines': machines,
  '0007-retries': retries,
  '0008-revoked-shares': revokedShares,
  '0009-failed-checks': failedChecks,
  '0010-client-turns': clientTurns,
  '0011-stored-parts': storedParts,
  '0012-polled-watches': polledWatches,
  '0013-breaking-storage-use': storageUse,
  '0014-breaking-watches': watchColumns,
  '0015-upload-shares': uploadShares,
  '0016-measured-kinds': measuredKinds,
};

const BREAKING = /^\d{4}-breaking-/;

const migratorOf = (db: Kysely<Schema>, migrations = MIGRATIONS): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATION_TABLE,
    migrationLockTableName: `${MIGRATION_TABLE}_lock`,
  });

/**
 * Lists the migrations of this version, in order. `at`: when the database had the migration. Absent if it did not. Throws
 * `DatabaseOfOtherVersion` if a version before the first release has made the tables.
 */
export async function migrationsOf(
  db: Kysely<Schema>,
): Promise<readonly { readonly name: string; readonly at?: string }[]> {
  requireFirst((await appliedTo(db)) ?? []);
  const all = await migratorOf(db).getMigrations();
  return all.map(({ name, executedAt }) => ({ name, ...(executedAt && { at: executedAt.toISOString() }) }));
}

/**
 * Returns the names of the migrations that a start of this version would apply to the tables. Throws the errors of
 * `migrate`.
 */
export async function pendingMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  if (await isNewer(db, MIGRATIONS)) return [];
  return (await migrationsOf(db)).flatMap(({ name, at }) => (at === undefined ? [name] : []));
}

/**
 * Migrates the tables to this version. If a newer version has migrated them, does nothing as long as this version can
 * still use them. Throws `DatabaseOfOtherVersion` if it cannot, or if a version before the first release has made them, and
 * `DatabaseMoved` if they were moved. `later`: migrations of a later version, for tests.
 */
export async function migrate(db: Kysely<Schema>, later: Readonly<Record<string, Migration>> = {}): Promise<void> {
  const migrations = { ...MIGRATIONS, ...later };
  if (await isNewer(db, migrations)) return;
  const { error } = await migratorOf(db, migrations).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated to this version.', { cause: error });
}

/** Returns whether a newer version has migrated the tables. Throws if this version cannot use them. */
async function isNewer(db: Kysely<Schema>, migrations: Readonly<Record<string, Migration>>): Promise<boolean> {
  const names = await appliedTo(db);
  if (names === undefined) return false;
  const target = await movedTo(db);
  if (target !== undefined) throw new DatabaseMoved(target);
  requireFirst(names);
  const unknown = names.filter((name) => !(name in migrations));
  const breaking = unknown.find((name) => BREAKING.test(name));
  if (breaking !== undefined)
    throw new DatabaseOfOtherVersion(
      `A newer version of telecine has migrated the database ("${breaking}" is unknown to this one). ` +
        'Start that version, or restore a copy of the data from before the upgrade.',
    );
  return unknown.length > 0;
}

/** Says which migrations a database lacks, for the operator. */
export const lacks = (names: readonly string[]): string =>
  `The database lacks ${names.length} ${names.length === 1 ? 'migration' : 'migrations'} of this version (${names.join(', ')}).`;

export const MIGRATES = 'The next start of the service migrates it, and so does: telecine db migrate';

/** The names of the migrations that the database has had. undefined: it has no table of them. */
async function appliedTo(db: Kysely<Schema>): Promise<readonly string[] | undefined> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return undefined;
  const migrated = await migrationsIn(db).selectFrom(MIGRATION_TABLE).select('name').execute();
  return migrated.map(({ name }) => name);
}

/** Throws if the database has migrations, but not the first one. */
function requireFirst(names: readonly string[]): void {
  if (names.length > 0 && !names.includes(FIRST_MIGRATION))
    throw new DatabaseOfOtherVersion(
      `${BEFORE_RELEASE} Start with a new one: set TELECINE_DATA_DIR to a new folder, or TELECINE_DATABASE_URL to an empty ` +
        'database. Media files stay where they are; clients, jobs and recipes do not come along.',
    );
}
