import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import type { FileStore } from '../../files/ports.ts';
import type { MediaStore } from '../../jobs/ports.ts';
import { localFiles } from '../../media/local/files/local-files.ts';
import { localRoot } from '../../media/local/root.ts';
import { ALONE, findScratchRoot, type ScratchParents } from '../../media/local/scratch/scratch.ts';
import { localMedia } from '../../media/local/store.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logger.ts';
import { lockMediaRoot } from '../process/media-root-lock.ts';
import { openDatabase } from './database.ts';
import type { Database } from './database-parts.ts';
import { openMediaRoot } from './media-root.ts';
import { findReservedPaths, rejectReservedRoot } from './reserved-paths.ts';

/** The storage of jobs and clients, and of media (local disks). */
export interface Storage extends Database {
  readonly media: MediaStore;
  readonly files: FileStore;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  rootOf(root: string | undefined): MediaRoot;
  /** The folder that contains the scratch folders. A service that runs jobs locks it. */
  readonly scratchRoot: string;
}

/**
 * Opens the database and, after locking the media root if this service runs jobs, the media. Throws
 * `FolderLocked` if another service has locked one of them, and `ConfigError` if the media root is a reserved path.
 */
export async function openStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { runsJobs, onLinked }: { readonly runsJobs: boolean; readonly onLinked: () => void },
): Promise<Storage> {
  const { dataDir, minFreeBytes } = config;
  const database = await openDatabase(closers, config, log);
  const mediaRoot = openMediaRoot(config);
  const own = findReservedPaths(config);
  rejectReservedRoot(mediaRoot, own);

  const scratchParents = database.isShared ? await sharedScratchParents(database.store, dataDir) : ALONE;
  const scratchRoot = await findScratchRoot(mediaRoot, dataDir, scratchParents);
  if (runsJobs && !database.isShared) closers.defer(lockMediaRoot(mediaRoot, scratchRoot, log));
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
  const rootOf = (root: string | undefined): MediaRoot => localRoot(root ?? mediaRoot);
  const files = await localFiles({ mediaRoot, dataDir, reserved: own, minFreeBytes, log });
  closers.defer(() => files.close());
  return { ...database, media, files, rootOf, scratchRoot };
}

/**
 * Gives each service on a database a folder of its own for scratch folders, named after its data folder, which no other
 * service of the machine has.
 */
async function sharedScratchParents(store: Store, dataDir: string): Promise<ScratchParents> {
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  const key = createHash('sha256').update(`${hostname()}:${real}:${ino}`).digest('hex').slice(0, 16);
  const prefix = `jobs-${(await store.installationId()).replaceAll('-', '').slice(0, 16)}-`;
  return { own: `${prefix}${key}`, isPeer: (name) => name.startsWith(prefix) };
}
