import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from '@telecine/service/config/config.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { ConfigError } from '@telecine/service/config/read-settings.ts';
import { databaseFile, openStore, readStore } from '@telecine/service/start/database.ts';
import { lockDataFolder } from '@telecine/service/store/data-folder.ts';
import { MIGRATES, movedTo, unmarkMoved } from '@telecine/service/store/migrate.ts';
import { moveStore } from '@telecine/service/store/move-store.ts';
import { MoveRefused } from '@telecine/service/store/operator-errors.ts';
import { dbOf } from '@telecine/service/store/transaction/database.ts';
import type { Command } from 'commander';
import { table } from '../output/format.ts';

export function declare(db: Command): void {
  db.command('status')
    .description('print the database, its migrations and the number of jobs and clients')
    .option('--json', 'print JSON, for programs')
    .action(printStatus);
  db.command('migrate')
    .description('migrate the database to this version; services do so when they start')
    .action(migrateDatabase);
  db.command('move')
    .description('copy the SQLite database of the data folder to the empty one of TELECINE_DATABASE_URL')
    .option('--undo', 'let services use the SQLite database again, after a move')
    .action(({ undo = false }: { readonly undo?: boolean }) => (undo ? undoMove() : moveDatabase()));
}

/** Prints which database the service uses, which migrations are applied, and how many records it has. */
async function printStatus({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = configFromEnvironment();
  const store = await readStore(config);
  try {
    const migrations = await store.migrations();
    const isCurrent = migrations.every(({ at }) => at !== undefined);
    const database = nameOf(config);
    const target = config.databaseUrl === undefined ? await movedTo(store.database.reader) : undefined;
    // Do not count in an older database, which may lack columns that the counts read.
    const counts = isCurrent ? await store.counts() : undefined;
    if (json) return console.log(JSON.stringify({ database, movedTo: target, migrations, ...counts }, null, 2));
    console.log(`Database: ${database}`);
    if (target !== undefined) console.log(`Moved to ${target}. To use it again: telecine db move --undo`);
    for (const line of table(migrations.map(({ name, at = 'not applied' }) => [`  ${name}`, at]))) console.log(line);
    if (!isCurrent) console.log(MIGRATES);
    if (counts === undefined) return;
    const { jobs, clients } = counts;
    console.log(
      `Jobs: ${
        Object.entries(jobs)
          .map(([status, count]) => `${count} ${status}`)
          .join(', ') || 'none'
      }`,
    );
    console.log(`Clients: ${clients}`);
  } finally {
    await store.close();
  }
}

/** Applies all migrations of this version to the database. */
async function migrateDatabase(): Promise<void> {
  const config = configFromEnvironment();
  const store = await openStore(config);
  const { length } = await store.migrations();
  await store.close();
  console.log(`${nameOf(config)} has all ${length} migrations of this version.`);
}

/**
 * Copies the SQLite database of the data folder to PostgreSQL. Services then reject the SQLite database. Throws `MoveRefused`,
 * `DatabaseMoved`, `ConfigError` and `FolderLocked`.
 */
async function moveDatabase(): Promise<void> {
  const config = configFromEnvironment();
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined)
    throw new ConfigError('TELECINE_DATABASE_URL is not set. Set it to the empty PostgreSQL database to move to.');
  const file = requireFile(dataDir);
  await using closers = new AsyncDisposableStack();
  closers.defer(lockDataFolder(dataDir));
  const source = await openStore({ dataDir });
  closers.defer(() => source.close());
  const { openPostgres } = await import('@telecine/service/store/postgres/open.ts');
  const store = await openPostgres({ url: databaseUrl, onOutage: () => {}, isPatient: true });
  closers.defer(() => store.close());
  const { openQueue } = await import('@telecine/service/start/postgres-database.ts');
  const queue = await openQueue(store, () => {});
  closers.defer(() => queue.close());
  const rows = await moveStore(source, { store, queue, name: nameOf(config) });
  if (rows === undefined)
    return console.log(`An earlier move copied ${file}. Services reject it from now on. ${NEXT_STEP}`);
  for (const line of table(Object.entries(rows).map(([name, count]) => [`  ${name}`, String(count)])))
    console.log(line);
  console.log(`Moved ${file}, which stays as a backup. ${NEXT_STEP}`);
}

const NEXT_STEP = 'Start the service with TELECINE_DATABASE_URL.';

/** Undoes a move to PostgreSQL: services can use the SQLite database of the data folder again. Throws `MoveRefused` and `FolderLocked`. */
async function undoMove(): Promise<void> {
  const { dataDir } = configFromEnvironment();
  const file = requireFile(dataDir);
  await using closers = new AsyncDisposableStack();
  closers.defer(lockDataFolder(dataDir));
  const store = await openStore({ dataDir }, { migrates: false });
  closers.defer(() => store.close());
  if (!(await store.transactions.run((tx) => unmarkMoved(dbOf(tx), randomUUID()))))
    throw new MoveRefused(`The database ${file} was not moved. Start the service without TELECINE_DATABASE_URL.`);
  console.log(`Services can use ${file} again. It has no jobs since the move. Unset TELECINE_DATABASE_URL.`);
}

function requireFile(dataDir: string): string {
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new MoveRefused(`There is no database ${file} to move. Set TELECINE_DATA_DIR.`);
  return file;
}

/** The name of the database for messages, without user and password. */
function nameOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return `SQLite, ${databaseFile(dataDir)}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}
