import type { Kysely } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { MIGRATION_TABLE, migrationsIn } from './migration-table.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as fewerJobIndexes from './migrations/0002-fewer-job-indexes.ts';
import * as jobListIndex from './migrations/0003-job-list-index.ts';
import * as jobWarnings from './migrations/0004-job-warnings.ts';
import * as jobCompletionIndex from './migrations/0005-job-completion-index.ts';
import * as installation from './migrations/0006-installation.ts';
import * as workers from './migrations/0007-workers.ts';
import * as lanes from './migrations/0008-lanes.ts';
import * as operators from './migrations/0009-operators.ts';
import * as eventCounts from './migrations/0010-event-counts.ts';
import * as needsIndex from './migrations/0011-needs-index.ts';
import * as tasks from './migrations/0012-tasks.ts';
import * as leases from './migrations/0013-leases.ts';
import * as outputUploads from './migrations/0014-output-uploads.ts';
import * as jobChanges from './migrations/0015-job-changes.ts';
import * as workerFfprobe from './migrations/0016-worker-ffprobe.ts';
import * as jobMetadata from './migrations/0017-job-metadata.ts';
import * as jobTraces from './migrations/0018-job-traces.ts';
import * as rankIndex from './migrations/0019-rank-index.ts';
import * as changeBasePerTransaction from './migrations/0020-change-base-per-transaction.ts';
import * as audit from './migrations/0021-audit.ts';
import * as weights from './migrations/0022-weights.ts';
import * as jobDependencies from './migrations/0023-job-dependencies.ts';
import * as resumableUploads from './migrations/0024-resumable-uploads.ts';
import * as webhooks from './migrations/0025-webhooks.ts';
import * as usage from './migrations/0026-usage.ts';
import * as batches from './migrations/0027-batches.ts';
import * as outputExpiry from './migrations/0028-output-expiry.ts';
import * as batchMembers from './migrations/0029-batch-members.ts';
import * as batchWebhooks from './migrations/0030-batch-webhooks.ts';
import * as jobPriority from './migrations/0031-job-priority.ts';
import * as clientFiles from './migrations/0032-client-files.ts';
import * as clientFileVersions from './migrations/0033-client-file-versions.ts';
import * as unsentDeliveries from './migrations/0034-unsent-deliveries.ts';
import * as clientStorage from './migrations/0035-client-storage.ts';
import * as usedLinks from './migrations/0036-used-links.ts';
import * as measurements from './migrations/0037-measurements.ts';
import * as pendingFiles from './migrations/0038-pending-files.ts';
import * as sessions from './migrations/0039-sessions.ts';
import * as ownRecipes from './migrations/0040-own-recipes.ts';
import * as jobPhases from './migrations/0041-job-phases.ts';
import * as workerDevices from './migrations/0042-worker-devices.ts';
import * as queuedIndex from './migrations/0043-queued-index.ts';
import * as jobHistory from './migrations/0044-job-history.ts';
import * as storageDown from './migrations/0045-storage-down.ts';
import * as jobOutputs from './migrations/0046-job-outputs.ts';
import * as oldestTokens from './migrations/0047-oldest-tokens.ts';
import * as finishedUploads from './migrations/0048-finished-uploads.ts';
import * as completeParents from './migrations/0049-complete-parents.ts';
import * as rankIndexOnSqlite from './migrations/0050-rank-index-on-sqlite.ts';
import * as outputsWithTheirJob from './migrations/0051-outputs-with-their-job.ts';
import * as noSessionAgeIndex from './migrations/0052-no-session-age-index.ts';
import * as jobMeasurements from './migrations/0053-job-measurements.ts';
import * as insertJobs from './migrations/0054-insert-jobs.ts';
import * as oneQueueIndexOnSqlite from './migrations/0055-one-queue-index-on-sqlite.ts';
import * as insertJobsInSlices from './migrations/0056-insert-jobs-in-slices.ts';
import * as oneQueueIndexOnPostgresql from './migrations/0057-one-queue-index-on-postgresql.ts';
import * as rankIndexWithoutWaitingJobs from './migrations/0058-rank-index-without-waiting-jobs.ts';
import { DatabaseMoved, movedTo } from './moved-mark.ts';
import type { Schema } from './schema.ts';

/**
 * Sorted by name. The database stores the names, so never rename, reorder or change a released migration.
 *
 * During an upgrade, services of the previous version use the tables that this version has migrated. So a migration only
 * adds: tables, columns that are nullable or have a default, indexes. What is not needed any more is removed one version
 * later. A migration that older versions cannot work with has `breaking` in its name (`0012-breaking-…`): they refuse to
 * start on such a database.
 */
const MIGRATIONS: Record<string, Migration> = {
  '0001-first-tables': firstTables,
  '0002-fewer-job-indexes': fewerJobIndexes,
  '0003-job-list-index': jobListIndex,
  '0004-job-warnings': jobWarnings,
  '0005-job-completion-index': jobCompletionIndex,
  '0006-installation': installation,
  '0007-workers': workers,
  '0008-lanes': lanes,
  '0009-operators': operators,
  '0010-event-counts': eventCounts,
  '0011-needs-index': needsIndex,
  '0012-tasks': tasks,
  '0013-leases': leases,
  '0014-output-uploads': outputUploads,
  '0015-job-changes': jobChanges,
  '0016-worker-ffprobe': workerFfprobe,
  '0017-job-metadata': jobMetadata,
  '0018-job-traces': jobTraces,
  '0019-rank-index': rankIndex,
  '0020-change-base-per-transaction': changeBasePerTransaction,
  '0021-audit': audit,
  '0022-weights': weights,
  '0023-job-dependencies': jobDependencies,
  '0024-resumable-uploads': resumableUploads,
  '0025-webhooks': webhooks,
  '0026-usage': usage,
  '0027-batches': batches,
  '0028-output-expiry': outputExpiry,
  '0029-batch-members': batchMembers,
  '0030-batch-webhooks': batchWebhooks,
  '0031-job-priority': jobPriority,
  '0032-client-files': clientFiles,
  '0033-client-file-versions': clientFileVersions,
  '0034-unsent-deliveries': unsentDeliveries,
  '0035-client-storage': clientStorage,
  '0036-used-links': usedLinks,
  '0037-measurements': measurements,
  '0038-pending-files': pendingFiles,
  '0039-sessions': sessions,
  '0040-own-recipes': ownRecipes,
  '0041-job-phases': jobPhases,
  '0042-worker-devices': workerDevices,
  '0043-queued-index': queuedIndex,
  '0044-job-history': jobHistory,
  '0045-storage-down': storageDown,
  '0046-job-outputs': jobOutputs,
  '0047-oldest-tokens': oldestTokens,
  '0048-finished-uploads': finishedUploads,
  '0049-complete-parents': completeParents,
  '0050-rank-index-on-sqlite': rankIndexOnSqlite,
  '0051-outputs-with-their-job': outputsWithTheirJob,
  '0052-no-session-age-index': noSessionAgeIndex,
  '0053-job-measurements': jobMeasurements,
  '0054-insert-jobs': insertJobs,
  '0055-one-queue-index-on-sqlite': oneQueueIndexOnSqlite,
  '0056-insert-jobs-in-slices': insertJobsInSlices,
  '0057-one-queue-index-on-postgresql': oneQueueIndexOnPostgresql,
  '0058-rank-index-without-waiting-jobs': rankIndexWithoutWaitingJobs,
};

const BREAKING = /^\d{4}-breaking-/;

const migratorOf = (db: Kysely<Schema>, migrations = MIGRATIONS): Migrator =>
  new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
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
 * Migrates the tables to this version. Does nothing if a newer version has migrated them in a way that this version can
 * work with. Throws if it cannot, and `DatabaseMoved` if the tables were moved to another database. Tests can add
 * migrations of a later version.
 */
export async function migrate(db: Kysely<Schema>, later: Readonly<Record<string, Migration>> = {}): Promise<void> {
  const migrations = { ...MIGRATIONS, ...later };
  if (await isNewer(db, migrations)) return;
  const { error } = await migratorOf(db, migrations).migrateToLatest();
  if (error !== undefined) throw new Error('The database could not be migrated to this version.', { cause: error });
}

/** Whether a newer version has migrated the tables. Throws if this version cannot work with them. */
async function isNewer(db: Kysely<Schema>, migrations: Readonly<Record<string, Migration>>): Promise<boolean> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === MIGRATION_TABLE)) return false;
  const target = await movedTo(db);
  if (target !== undefined) throw new DatabaseMoved(target);
  const migrated = await migrationsIn(db).selectFrom(MIGRATION_TABLE).select('name').execute();
  const unknown = migrated.map(({ name }) => name).filter((name) => !(name in migrations));
  const breaking = unknown.find((name) => BREAKING.test(name));
  if (breaking !== undefined)
    throw new Error(
      `A newer version of telecine has migrated the database ("${breaking}" is unknown to this one). ` +
        'Start that version, or restore a copy of the data from before the upgrade.',
    );
  return unknown.length > 0;
}
