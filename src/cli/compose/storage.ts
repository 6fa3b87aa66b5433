import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { endLeftovers } from '../../ffmpeg/process/orphan-processes.ts';
import type { FileStore } from '../../files/ports.ts';
import type { JobQueue, MediaStore } from '../../jobs/ports.ts';
import { localFiles } from '../../media/local/files/local-files.ts';
import { localMedia } from '../../media/local/store.ts';
import { ticketQueue } from '../../queue/tickets.ts';
import { holdDataFolder } from '../../store/data-folder.ts';
import { openSqlite, type Store } from '../../store/open.ts';
import { holdMediaRoot } from '../process/media-root-lock.ts';
import type { Log } from './logger.ts';
import { ownPlaces, refuseOwn } from './reserved-paths.ts';

/** Where jobs, clients and media are kept: SQLite in the data folder, media on local disks. */
export interface Storage {
  readonly store: Store;
  readonly queue: JobQueue;
  readonly media: MediaStore;
  readonly files: FileStore;
  /** Absolute, symlinks resolved. */
  readonly mediaRoot: string;
  /** The folder of the scratch folders; undefined in a service that runs no jobs. */
  readonly scratchRoot: string | undefined;
}

/** Opens the database of the data folder, which a running service may have open too. */
export const openStore = ({ dataDir }: Pick<Config, 'dataDir'>): Promise<Store> =>
  openSqlite(join(dataDir, 'telecine.db'));

/**
 * Locks the data folder and, where this service runs jobs, the media root; opens what is in them. Throws `FolderTaken`
 * where another service has locked one of them, and `ConfigError` where the media root is a reserved path.
 */
export async function openStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  { runsJobs, onLinked }: { readonly runsJobs: boolean; readonly onLinked: () => void },
): Promise<Storage> {
  const { dataDir, minFreeBytes } = config;
  closers.defer(holdDataFolder(dataDir));
  const store = await openStore(config);
  closers.defer(() => store.close());
  await mkdir(config.mediaRoot, { recursive: true });
  const mediaRoot = realpathSync(config.mediaRoot);
  const own = ownPlaces(config);
  refuseOwn(mediaRoot, own);

  let scratchRoot: string | undefined;
  const media = await localMedia({
    mediaRoot,
    dataDir,
    own,
    ...(runsJobs && {
      hold: (folder: string) => {
        closers.defer(holdMediaRoot(mediaRoot, folder, log));
        scratchRoot = folder;
      },
    }),
    endProcessesIn: endLeftovers,
    log,
    at: (step) => {
      if (step === 'linked') onLinked();
    },
  });
  const files = await localFiles({ mediaRoot, dataDir, own, minFreeBytes, log });
  return { store, queue: ticketQueue(store.database), media, files, mediaRoot, scratchRoot };
}
