import { dirname, join } from 'node:path';
import { allowedStores } from '@telecine/contract/domain/client.ts';
import { rememberSuccess } from '@telecine/contract/domain/remember.ts';
import type { WithRoom } from '@telecine/contract/domain/stored-files.ts';
import { endOrphanProcesses } from '@telecine/ffmpeg/process/orphan-processes.ts';
import type { Config } from '../config/config.ts';
import { threadsFromEnvironment } from '../config/environment.ts';
import type { BucketSetting } from '../config/storage-buckets.ts';
import { withRoom } from '../files/bin.ts';
import { bucketFiles, bucketMedia } from '../media/bucket-media.ts';
import { localFiles } from '../media/local/files/local-files.ts';
import { mediaDisks } from '../media/local/paths/media-disks.ts';
import { localRoot, rootPath } from '../media/local/paths/root-boundary.ts';
import { localMedia } from '../media/local/store.ts';
import { receiptsIn } from '../media/receipts.ts';
import { chunkFilesOnDisk } from '../media/scratch/chunk-files.ts';
import { probeCopies } from '../media/scratch/probe-copies.ts';
import { receiptFiles } from '../media/scratch/receipt-files.ts';
import { ALONE, findScratchRoot, type ScratchParents, serviceKey } from '../media/scratch/scratch.ts';
import { urlInputs } from '../media/urls/url-failures.ts';
import { urlMedia } from '../media/urls/url-media.ts';
import { outgoingClient } from '../outgoing/outgoing-client.ts';
import type { Store } from '../store/store.ts';
import { everyHour } from './background-tasks.ts';
import { grantsOf, readBuckets, warnOfExposedFiles } from './bucket-settings.ts';
import { openDatabase } from './database.ts';
import type { Log } from './logger.ts';
import { lockMediaRoot } from './process/media-root-lock.ts';
import { findReservedPaths, openMediaRoot, rejectReservedRoot } from './reserved-paths.ts';
import type { BucketObjects, openBucketObjects } from './s3-storage.ts';
import { chunksFolder, type Database, type MediaStorage, shortId } from './storage-parts.ts';

export interface Storage extends Database, MediaStorage {
  /** Makes room in the bins of clients. One for all requests and jobs of this process, so that none takes the room of another one. */
  readonly withRoom: WithRoom;
}

interface StorageOptions {
  readonly runsJobs: boolean;
  /** Called after an output has become visible in the media root. */
  readonly onLinked: () => void;
}

/**
 * Opens the database and the media. Locks the scratch folders if this service runs jobs. Throws `FolderLocked` if another service has
 * locked the data folder or the scratch folders, and `ConfigError` if the media root is a reserved path.
 */
export async function openStorage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  options: StorageOptions,
): Promise<Storage> {
  const database = await openDatabase(closers, config, log);
  const scratchParents = database.isShared ? await sharedScratchParents(database.store, config.dataDir) : ALONE;
  if (config.storage === undefined) {
    const local = await openLocalStorage(closers, config, log, database, scratchParents, options);
    return storageOf(database, withUrls(closers, config, log, local));
  }
  // Load this code only here, because most services use no object store.
  const { openS3Storage } = await import('./s3-storage.ts');
  const opened = await openS3Storage(closers, config, config.storage, log, database, scratchParents, options);
  return storageOf(database, withUrls(closers, config, log, opened));
}

const storageOf = (database: Database, media: MediaStorage): Storage => ({
  ...database,
  ...media,
  withRoom: withRoom({ store: media.files, stored: database.store.storedFiles }),
});

/** Adds support for inputs that are URLs, if the operator allows URLs. */
function withUrls(
  closers: AsyncDisposableStack,
  { inputUrls, minFreeBytes }: Config,
  log: Log['log'],
  storage: MediaStorage,
): MediaStorage {
  const { media: base, copies } = storage;
  // Sweep even if URLs are not allowed now, because copies from earlier may exist.
  closers.use(everyHour(() => copies.sweep(), log, { startsNow: true }));
  if (urlInputs(inputUrls) === undefined) return storage;
  const client = outgoingClient(inputUrls);
  closers.defer(() => client.close());
  return { ...storage, media: urlMedia({ base, client, copies, minFreeBytes }) };
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
  const copies = probeCopies({ scratchRoot, isPeer: scratchParents.isPeer, log });
  const lockDir = database.isShared ? join(dataDir, 'jobs') : dirname(scratchRoot);
  if (runsJobs) closers.defer(lockMediaRoot(mediaRoot, lockDir, log));
  const disks = mediaDisks({
    threads: threadsFromEnvironment(),
    onChange: (mount, isHanging) => {
      const place = { mount: mount === '' ? '/' : mount };
      if (isHanging) log.warn(place, 'disk does not reply');
      else log.info(place, 'disk replies again');
    },
  });
  const base = await localMedia({
    mediaRoot,
    dataDir,
    disks,
    scratchParents,
    reserved: own,
    endProcessesIn: endOrphanProcesses,
    log,
    failpoint: (step) => {
      if (step === 'linked') onLinked();
    },
  });
  closers.defer(() => base.close());
  const installationId = await database.store.installationId();
  const chunkFiles = chunkFilesOnDisk({
    ...{ folder: mediaRoot, dataDir, isShared: database.isShared, folders: base.folders, log },
    name: await chunksFolder(database.store),
  });
  const files = await localFiles({ mediaRoot, dataDir, reserved: own, minFreeBytes, disks, installationId });
  closers.defer(() => files.close());
  const buckets = readBuckets(config);
  warnOfExposedFiles(buckets, log);
  const load = bucketLoader(closers, buckets, database.store, {
    copies,
    folders: base.folders,
    freeBytes: base.freeBytes,
    minFreeBytes,
    log,
    failpoint: (step) => {
      if (step === 'completed') onLinked();
    },
  });
  const urls = urlInputs(config.inputUrls);
  return {
    media: bucketMedia({
      base,
      folders: base.folders,
      objects: load && (async () => (await load()).objects),
      uploads: database.store.outputUploads,
      log,
    }),
    uploadParts: files.parts,
    files: bucketFiles(files, load),
    rootOf: (root, clientId, limits) => {
      const stores = allowedStores({ grants: grantsOf(buckets, clientId), urls }, limits);
      return localRoot(root ?? mediaRoot, stores.grants, stores.urls);
    },
    folderOf: (root) => `${rootPath(root).replace(/\/+$/, '')}/`,
    isLocalDisk: await disks.isLocal(mediaRoot),
    scratchRoot,
    copies,
    lockDir,
    receipts: receiptsIn(receiptFiles(mediaRoot, dataDir)),
    // In the data folder, only this machine could read the chunks.
    ...((!database.isShared || scratchRoot.startsWith(`${mediaRoot}/`)) && { chunkFiles }),
  };
}

/** Loads the code for object stores at its first use. undefined: no buckets are configured. */
function bucketLoader(
  closers: AsyncDisposableStack,
  buckets: readonly BucketSetting[],
  store: Store,
  options: Parameters<typeof openBucketObjects>[2],
): (() => Promise<BucketObjects>) | undefined {
  if (buckets.length === 0) return undefined;
  const load = rememberSuccess(async () => {
    const { openBucketObjects: open } = await import('./s3-storage.ts');
    return open(buckets, store, options);
  });
  closers.defer(async () => (await load.started()?.catch(() => undefined))?.close());
  return load;
}

/** The names of the folders that contain scratch folders. Each service on a shared database has its own. */
async function sharedScratchParents(store: Store, dataDir: string): Promise<ScratchParents> {
  const prefix = `jobs-${shortId(await store.installationId())}-`;
  return { own: `${prefix}${await serviceKey(dataDir)}`, isPeer: (name) => name.startsWith(prefix) };
}
