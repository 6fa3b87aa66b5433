import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { localFiles } from '../../media/local/files/local-files.ts';
import { localRoot } from '../../media/local/root.ts';
import { localMedia } from '../../media/local/store.ts';
import { ALONE, findScratchRoot, type ScratchParents } from '../../media/scratch/scratch.ts';
import { serviceKey } from '../../media/scratch/service-key.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logger.ts';
import { lockMediaRoot } from '../process/media-root-lock.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database-parts.ts';
import { everyHour } from './every.ts';
import { openMediaRoot } from './media-root.ts';
import type { MediaStorage } from './media-storage.ts';
import { findReservedPaths, rejectReservedRoot } from './reserved-paths.ts';

/** The storage of jobs and clients, and of media. */
export interface Storage extends Database, MediaStorage {}

interface StorageOptions {
  readonly runsJobs: boolean;
  /** Called after an output has appeared. */
  readonly onLinked: () => void;
}

/**
 * Opens the database and, after locking the scratch folders if this service runs jobs, the media. Throws
 * `FolderLocked` if another service has locked one of them, and `ConfigError` if the media root is a reserved path.
 */
export async function openStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  options: StorageOptions,
): Promise<Storage> {
  const database = await openDatabase(closers, config, log);
  const scratchParents = database.isShared ? await sharedScratchParents(database.store, config.dataDir) : ALONE;
  if (config.storage === undefined)
    return { ...database, ...(await openLocalStorage(closers, config, log, database, scratchParents, options)) };
  // Loaded only here, because most services use no object store.
  const { openS3Storage, storageClient } = await import('./s3-storage.ts');
  const s3 = storageClient(config, config.storage);
  return {
    ...database,
    ...(await openS3Storage(closers, config, log, database, scratchParents, { ...s3, ...options })),
  };
}

async function openLocalStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  database: Database,
  scratchParents: ScratchParents,
  { runsJobs, onLinked }: StorageOptions,
): Promise<MediaStorage> {
  const { dataDir, minFreeBytes } = config;
  const mediaRoot = openMediaRoot(config);
  const own = findReservedPaths(config);
  rejectReservedRoot(mediaRoot, own);
  const scratchRoot = await findScratchRoot(mediaRoot, dataDir, scratchParents);
  const lockDir = database.isShared ? join(dataDir, 'jobs') : dirname(scratchRoot);
  if (runsJobs) closers.defer(lockMediaRoot(mediaRoot, lockDir, log));
  const media = await localMedia({
    mediaRoot,
    dataDir,
    scratchParents,
    reserved: own,
    endProcessesIn: endOrphanProcesses,
    log,
    failpoint: (step) => {
      if (step === 'linked') onLinked();
    },
  });
  closers.defer(() => media.close());
  const files = await localFiles({ mediaRoot, dataDir, reserved: own, minFreeBytes, log });
  closers.defer(() => files.close());
  closers.use(everyHour(() => files.sweep(), log, { startsNow: true }));
  return { media, files, rootOf: (root) => localRoot(root ?? mediaRoot), scratchRoot, lockDir };
}

/** Gives each service on a database a folder of its own for scratch folders. */
async function sharedScratchParents(store: Store, dataDir: string): Promise<ScratchParents> {
  const prefix = `jobs-${(await store.installationId()).replaceAll('-', '').slice(0, 16)}-`;
  return { own: `${prefix}${await serviceKey(dataDir)}`, isPeer: (name) => name.startsWith(prefix) };
}
