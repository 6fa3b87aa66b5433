import { existsSync } from 'node:fs';
import type { Config } from '../../../config/config.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { ConfigError } from '../../../config/read-settings.ts';
import { lockDataFolder } from '../../../store/data-folder.ts';
import { moveStore } from '../../../store/move.ts';
import { MoveRefused } from '../../../store/move-refused.ts';
import { databaseFile, openStore } from '../../compose/database.ts';
import { table } from '../../output/table.ts';

/** Prints which database the service uses, which migrations it has, and how much is in it. */
export async function printStatus({ json = false }: { readonly json?: boolean }): Promise<void> {
  const config = configFromEnvironment();
  const file = databaseFile(config.dataDir);
  if (config.databaseUrl === undefined && !existsSync(file))
    throw new ConfigError(`There is no database ${file}. The first start of the service creates it.`);
  const store = await openStore(config, { migrates: false });
  try {
    const migrations = await store.migrations();
    const isCurrent = migrations.every(({ at }) => at !== undefined);
    const database = nameOf(config);
    // The tables of an older version may lack columns that the counts need.
    const counts = isCurrent ? await store.counts() : undefined;
    if (json) return console.log(JSON.stringify({ database, migrations, ...counts }, null, 2));
    console.log(`Database: ${database}`);
    for (const line of table(migrations.map(({ name, at = 'not applied' }) => [`  ${name}`, at]))) console.log(line);
    if (!isCurrent) console.log('The next start of the service applies the others, and so does: telecine db migrate');
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

/** Migrates the database to this version. */
export async function migrateDatabase(): Promise<void> {
  const config = configFromEnvironment();
  const store = await openStore(config);
  const { length } = await store.migrations();
  await store.close();
  console.log(`${nameOf(config)} has all ${length} migrations of this version.`);
}

/** Copies the SQLite database of the data folder to PostgreSQL. Throws `MoveRefused`, `ConfigError`, `FolderLocked`. */
export async function moveDatabase(): Promise<void> {
  const config = configFromEnvironment();
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined)
    throw new ConfigError('TELECINE_DATABASE_URL: set it to the empty PostgreSQL database to move to.');
  const file = databaseFile(dataDir);
  if (!existsSync(file)) throw new MoveRefused(`There is no database ${file} to move. Set TELECINE_DATA_DIR.`);
  const unlock = lockDataFolder(dataDir);
  try {
    const { bossQueue } = await import('../../../queue/boss.ts');
    await using closers = new AsyncDisposableStack();
    const source = await openStore({ dataDir });
    closers.defer(() => source.close());
    const store = await openStore(config);
    closers.defer(() => store.close());
    const queue = await bossQueue(store.database, { onError: () => {} });
    closers.defer(() => queue.close());
    const rows = await moveStore(source, { store, queue });
    for (const line of table(Object.entries(rows).map(([name, count]) => [`  ${name}`, String(count)])))
      console.log(line);
    console.log(`Moved ${file}, which stays as it was. Start the service with TELECINE_DATABASE_URL.`);
  } finally {
    unlock();
  }
}

/** Without user and password. */
function nameOf({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): string {
  if (databaseUrl === undefined) return `SQLite, ${databaseFile(dataDir)}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}
