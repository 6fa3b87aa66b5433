import { join } from 'node:path';
import { openMemoryCounter } from '../auth/counters.ts';
import type { Config } from '../config/config.ts';
import { ticketQueue } from '../queue/tickets.ts';
import { lockDataFolder } from '../store/data-folder.ts';
import { createDataSpace } from '../store/data-space.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import type { Log } from './logger.ts';
import type { Database } from './storage-parts.ts';

type DatabaseConfig = Pick<Config, 'dataDir'> & Partial<Pick<Config, 'databaseUrl'>>;

export const databaseFile = (dataDir: string): string => join(dataDir, 'telecine.db');

/** Opens the store. Migrates it unless `migrates` is false. This also works while a service has the store open. */
export async function openStore({ dataDir, databaseUrl }: DatabaseConfig, { migrates = true } = {}): Promise<Store> {
  if (databaseUrl === undefined) return openSqlite(databaseFile(dataDir), { migrates });
  // Load the code for PostgreSQL only if it is used.
  const { openPostgres } = await import('../store/postgres/open.ts');
  return openPostgres({ url: databaseUrl, onOutage: () => {}, migrates });
}

/**
 * Locks the data folder, and opens the store and the queue on PostgreSQL or SQLite. Throws `FolderLocked` if another service uses the data
 * folder.
 */
export async function openDatabase(closers: AsyncDisposableStack, config: Config, log: Log['log']): Promise<Database> {
  closers.defer(lockDataFolder(config.dataDir));
  if (config.databaseUrl === undefined) return openLocal(closers, config, log);
  const { openPostgresDatabase } = await import('./postgres-database.ts');
  return openPostgresDatabase(closers, { url: config.databaseUrl, listenUrl: config.databaseListenUrl }, log);
}

async function openLocal(closers: AsyncDisposableStack, config: Config, log: Log['log']): Promise<Database> {
  const { dataDir: dir } = config;
  const store = await openSqlite(databaseFile(dir), {
    onCheckpointFailure: (err) => log.warn({ err }, 'a checkpoint of the database failed'),
  });
  closers.defer(() => store.close());
  const dataSpace = createDataSpace({
    dir,
    reserveBytes: config.minFreeDataBytes,
    onChange: ({ isLow, ...sizes }) => {
      if (isLow) log.warn(sizes, 'the data disk is nearly full: no job is accepted or started');
      else log.info(sizes, 'the data disk has enough free space again');
    },
  });
  return {
    store,
    queue: ticketQueue(store.database),
    dataSpace,
    isShared: false,
    openCounter: openMemoryCounter,
    connectChanges: () => ({ onJob: () => {}, onWatch: () => {} }),
  };
}
