import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import type { FileStore } from '../../files/ports.ts';
import type { JobQueue, MediaStore } from '../../jobs/ports.ts';
import { localFiles } from '../../media/local/files/local-files.ts';
import { localRoot } from '../../media/local/root.ts';
import { findScratchRoot } from '../../media/local/scratch/scratch.ts';
import { localMedia } from '../../media/local/store.ts';
import { ticketQueue } from '../../queue/tickets.ts';
import { lockDataFolder } from '../../store/data-folder.ts';
import { createDataSpace, type DataSpace } from '../../store/data-space.ts';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logger.ts';
import { lockMediaRoot } from '../process/media-root-lock.ts';
import { openMediaRoot } from './media-root.ts';
import { findReservedPaths, rejectReservedRoot } from './reserved-paths.ts';

/** The storage of jobs and clients (SQLite in the data folder) and of media (local disks). */
export interface Storage {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly media: MediaStore;
  readonly files: FileStore;
  /** The media root for the `root` of a client record; for undefined, the media root of the service. */
  rootOf(root: string | undefined): MediaRoot;
  /** The free space on the disk of the data folder. Its shortages are logged. */
  readonly dataSpace: DataSpace;
  /** The folder that contains the scratch folders. A service that runs jobs locks it. */
  readonly scratchRoot: string;
}

/** Opens the database in the data folder. A running service may have it open too. */
export const openStore = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Store> =>
  openSqlite(join(dataDir, 'telecine.db'));

/**
 * Locks the data folder and, if this service runs jobs, the media root, and opens the stores in them. Throws
 * `FolderLocked` if another service has locked one of them, and `ConfigError` if the media root is a reserved path.
 */
export async function openStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { runsJobs, onLinked }: { readonly runsJobs: boolean; readonly onLinked: () => void },
): Promise<Storage> {
  const { dataDir, minFreeBytes } = config;
  closers.defer(lockDataFolder(dataDir));
  const store = await openStore(config);
  closers.defer(() => store.close());
  const mediaRoot = openMediaRoot(config);
  const own = findReservedPaths(config);
  rejectReservedRoot(mediaRoot, own);

  const scratchRoot = await findScratchRoot(mediaRoot, dataDir);
  if (runsJobs) closers.defer(lockMediaRoot(mediaRoot, scratchRoot, log));
  const media = await localMedia({
    mediaRoot,
    dataDir,
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
  const dataSpace = createDataSpace({
    dir: dataDir,
    reserveBytes: config.minFreeDataBytes,
    onChange: ({ isLow, ...sizes }) => {
      if (isLow) log.warn(sizes, 'the data disk is nearly full: no job is accepted or started');
      else log.info(sizes, 'the data disk has enough free space again');
    },
  });
  return { store, queue: ticketQueue(store.database), media, files, rootOf, dataSpace, scratchRoot };
}
