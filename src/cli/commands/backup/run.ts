import { existsSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { configFromEnvironment } from '../../../config/environment.ts';
import { lockDataFolder } from '../../../store/data-folder.ts';
import { BackupRefused, backupSqlite, type DatabaseContents, restoreSqlite } from '../../../store/sqlite/backup.ts';
import { databaseFile } from '../../compose/database.ts';

/** Copies the database to a new file. Throws `BackupRefused`. */
export async function backupDatabase(file: string): Promise<void> {
  const source = databaseFile(dataDirOnSqlite('pg_dump'));
  const contents = await backupSqlite(source, resolve(file));
  console.log(`${source} is in ${file}: ${textOf(contents)}. It has the signing keys: keep it readable only by you.`);
}

/** Makes a backup the database of the data folder. Throws `BackupRefused` and `FolderLocked`. */
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
      `There is a database ${target} already. Add --replace to keep it under another name and use the backup.`,
    );
  const checked = `${target}.restored`;
  // First a checked copy, so that a damaged backup leaves the existing database in its place.
  const contents = await restoreSqlite(resolve(file), checked);
  const kept = `${target}.before-restore-${new Date().toISOString().replaceAll(':', '-')}`;
  // The log and the index of the old database go with it, because SQLite would apply the log to the new one.
  for (const suffix of ['', '-wal', '-shm'])
    if (existsSync(`${target}${suffix}`)) renameSync(`${target}${suffix}`, `${kept}${suffix}`);
  renameSync(checked, target);
  console.log(`${target} is restored: ${textOf(contents)}. Start the service; jobs that were running then run again.`);
  if (existsSync(kept)) console.log(`The earlier database is ${kept}.`);
}

function dataDirOnSqlite(tool: string): string {
  const { dataDir, databaseUrl } = configFromEnvironment();
  if (databaseUrl === undefined) return dataDir;
  throw new BackupRefused(
    `TELECINE_DATABASE_URL is set: the database is on PostgreSQL. Use ${tool} (docs/operations.md#backups).`,
  );
}

const textOf = ({ jobs, clients }: DatabaseContents): string =>
  `${jobs} ${jobs === 1 ? 'job' : 'jobs'}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
