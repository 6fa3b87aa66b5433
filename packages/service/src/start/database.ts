import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMemoryCounter } from '../auth/counters.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/read-settings.ts';
import { ticketQueue } from '../queue/tickets.ts';
import { lockDataFolder } from '../store/data-folder.ts';
import { createDataSpace } from '../store/data-space.ts';
import { openSqlite, readSqlite } from '../store/sqlite/open.ts';
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
 * Opens the store for a command that only reads. Creates, migrates and writes nothing. Throws `ConfigError` if there is
 * no SQLite database.
 */
export async function readStore(config: DatabaseConfig): Promise<Store> {
  if (config.databaseUrl !== undefined) return openStore(config, { migrates: false });
  const file = databaseFile(config.dataDir);
  if (existsSync(file)) return readSqlite(file);
  throw new ConfigError(`There is no database ${file}. The first start of the service creates it.`);
}

/**
 * Locks the data folder, and opens the store and the queue on PostgreSQL or SQLite. Logs which migrations the start has applied. Throws
 * `FolderLocked` if another service uses the data folder.
 */
export async function openDatabase(closers: AsyncDisposableStack, config: Config, log: Log['log']): Promise<Database> {
  closers.defer(lockDataFolder(config.dataDir));
  const startedAt = new Date().toISOString();
  const database = await openEngine(closers, config, log);
  const migrations = (await database.store.migrations()).flatMap(({ name, at = '' }) =>
    at >= startedAt ? [name] : [],
  );
  if (migrations.length > 0) log.info({ migrations }, 'database migrated');
  return database;
}

async function openEngine(closers: AsyncDisposableStack, config: Config, log: Log['log']): Promise<Database> {
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
