import { existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { databaseFile } from '@telecine/service/start/database.ts';
import { lockDataFolder } from '@telecine/service/store/data-folder.ts';
import {
  BackupRefused,
  backupSqlite,
  type DatabaseContents,
  flush,
  restoreSqlite,
} from '@telecine/service/store/sqlite/backup.ts';
import type { Command } from 'commander';

export function declare(backup: Command): void {
  backup.argument('<file>').action(async (file: string) => backupDatabase(file));
}

export function declareRestore(restore: Command): void {
  restore
    .argument('<file>')
    .option('--replace', 'keep the existing database under another name instead of refusing')
    .action(async (file: string, options: { readonly replace?: boolean }) => restoreDatabase(file, options));
}

/** Copies the database to a new file. Throws `BackupRefused`. */
export async function backupDatabase(file: string): Promise<void> {
  const source = databaseFile(dataDirOnSqlite('pg_dump'));
  const contents = await backupSqlite(source, resolve(file));
  console.log(
    `Backed up ${source} to ${file}: ${textOf(contents)}. The file has the signing keys: keep it readable only by you.`,
  );
}

/** Replaces the database of the data folder by a backup. Throws `BackupRefused` and `FolderLocked`. */
export async function restoreDatabase(
  file: string,
  { replace = false }: { readonly replace?: boolean },
): Promise<void> {
  const dataDir = dataDirOnSqlite('pg_restore');
  await using closers = new AsyncDisposableStack();
  closers.defer(lockDataFolder(dataDir));
  const target = databaseFile(dataDir);
  if (existsSync(target) && !replace)
    throw new BackupRefused(
      `The database ${target} already exists. Add --replace: it is then kept under another name, and the backup replaces it.`,
    );
  const checked = `${target}.restored`;
  // Remove the copies that a killed restore has left. The lock guarantees that no other restore is running.
  for (const name of readdirSync(dataDir)) if (name.startsWith(basename(checked))) rmSync(join(dataDir, name));
  // Copy and check the backup before the existing database moves. A damaged backup then changes nothing.
  const contents = await restoreSqlite(resolve(file), checked);
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
  keepDatabase(target, kept);
  renameSync(checked, target);
  flush(dataDir);
  console.log(`${target} is restored: ${textOf(contents)}. Start the service; jobs that were running then run again.`);
  if (existsSync(kept)) console.log(`The earlier database is ${kept}.`);
}

/**
 * Renames a database and its write-ahead log. A log that stayed behind would be applied to the new database. Creates the new links before
 * it removes the old names, so that a crash loses neither file.
 */
function keepDatabase(from: string, to: string): void {
  const present = ['', '-wal'].filter((suffix) => existsSync(`${from}${suffix}`));
  for (const suffix of present) linkSync(`${from}${suffix}`, `${to}${suffix}`);
  flush(dirname(to));
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${from}${suffix}`, { force: true });
}

function dataDirOnSqlite(tool: string): string {
  const { dataDir, databaseUrl } = configFromEnvironment();
  if (databaseUrl === undefined) return dataDir;
  throw new BackupRefused(
    `TELECINE_DATABASE_URL is set: the database is on PostgreSQL. Use ${tool} (docs/operate/backups.md).`,
  );
}

const textOf = ({ jobs, clients }: DatabaseContents): string =>
  `${jobs} ${jobs === 1 ? 'job' : 'jobs'}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
