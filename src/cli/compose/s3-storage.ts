import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { allowedStores } from '../../domain/client.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { bucketFiles } from '../../media/bucket-media.ts';
import { bucketCheck } from '../../media/s3/bucket-check.ts';
import { s3Client } from '../../media/s3/client.ts';
import { s3Parts } from '../../media/s3/files/resumable-parts.ts';
import { s3Files } from '../../media/s3/files/s3-files.ts';
import { keyLocks } from '../../media/s3/key-locks.ts';
import { type S3Location, s3Root } from '../../media/s3/location.ts';
import { openUploads, unrecordedUploads } from '../../media/s3/multipart-uploads.ts';
import { s3Media } from '../../media/s3/store.ts';
import { probeCopies } from '../../media/scratch/probe-copies.ts';
import { findScratchRoot, type ScratchParents } from '../../media/scratch/scratch.ts';
import { urlInputs } from '../../media/urls/url-failures.ts';
import type { Log } from '../logger.ts';
import { lockMediaRoot } from '../process/media-root-lock.ts';
import { openNamedBuckets } from './bucket-clients.ts';
import { closeBuckets, openIn } from './bucket-objects.ts';
import { grantsOf, readBuckets, warnOfExposedFiles } from './bucket-settings.ts';
import type { Database } from './database-parts.ts';
import { everyHour } from './every.ts';
import { isMissing, realPathOfFolder } from './media-root.ts';
import type { MediaStorage } from './media-storage.ts';

type StorageConfig = Pick<Config, 'storageEndpoint' | 'storagePublicEndpoint' | 'storageRegion' | 'storagePathStyle'>;

/** A bucket, and the clients for it. */
export interface BucketClient {
  readonly client: S3Client;
  /** A client for the address at which clients of the service reach the object store. Absent if they cannot. */
  readonly publicClient?: S3Client;
  readonly storage: S3Location;
}

/** Creates the clients for the bucket of the configuration. */
export function storageClient(config: StorageConfig, storage: S3Location): BucketClient {
  const { storageEndpoint, storagePublicEndpoint } = config;
  const clientAt = (endpoint: string | undefined): S3Client =>
    s3Client({
      ...(endpoint !== undefined && { endpoint }),
      region: config.storageRegion,
      pathStyle: config.storagePathStyle ?? storageEndpoint !== undefined,
    });
  return {
    client: clientAt(storageEndpoint),
    ...(storagePublicEndpoint !== undefined && { publicClient: clientAt(storagePublicEndpoint) }),
    storage,
  };
}

/** Throws `ConfigError` if the folder for scratch folders is missing. */
export function requireScratchDir({ scratchDir }: Pick<Config, 'scratchDir'>): void {
  if (scratchDir !== undefined && isMissing(scratchDir))
    throw new ConfigError(
      `TELECINE_SCRATCH_DIR: there is no folder ${scratchDir}. Mount its disk, correct the path, or create the folder (mkdir -p).`,
    );
}

/** Opens the media in a bucket. Locks the scratch folders if this service runs jobs. */
export async function openS3Storage(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  database: Database,
  scratchParents: ScratchParents,
  {
    runsJobs,
    onLinked,
    client,
    publicClient,
    storage,
  }: BucketClient & {
    readonly runsJobs: boolean;
    readonly onLinked: () => void;
  },
): Promise<MediaStorage> {
  const { dataDir, minFreeBytes } = config;
  closers.defer(() => {
    client.destroy();
    publicClient?.destroy();
  });
  requireScratchDir(config);
  const wanted = config.scratchDir ?? dataDir;
  await mkdir(wanted, { recursive: true });
  const folder = realPathOfFolder(wanted);
  const scratchRoot = await findScratchRoot(folder, dataDir, scratchParents);
  const copies = probeCopies({ scratchRoot, isPeer: scratchParents.isPeer, log });
  const lockDir = database.isShared ? join(dataDir, 'jobs') : dirname(scratchRoot);
  if (runsJobs) closers.defer(lockMediaRoot(folder, lockDir, log));
  const buckets = readBuckets(config);
  warnOfExposedFiles(buckets, log);
  const named = openNamedBuckets(buckets);
  closers.defer(() => closeBuckets(named));
  const { leases, outputUploads } = database.store;
  const locks = keyLocks(leases, outputUploads);
  const unrecorded = unrecordedUploads(leases, outputUploads);
  const media = await s3Media({
    client,
    storage,
    named,
    uploads: outputUploads,
    copies,
    locks,
    unrecordedUploads: unrecorded,
    folder,
    dataDir,
    scratchParents,
    minFreeBytes,
    endProcessesIn: endOrphanProcesses,
    log,
    failpoint: (step) => {
      if (step === 'completed') onLinked();
    },
  });
  closers.defer(() => media.close());
  const uploads = openUploads(leases, unrecorded);
  closers.use(everyHour(() => uploads.sweep(client), log, { startsNow: true }));
  const urls = urlInputs(config.inputUrls);
  const files = s3Files({
    client,
    ...(publicClient && { publicClient }),
    locks,
    openUploads: uploads,
    unrecordedUploads: unrecorded,
    log,
  });
  return {
    media,
    files: bucketFiles(files, openIn(named)),
    uploadParts: s3Parts({
      ...{ client, locks, unrecordedUploads: unrecorded, leases },
      expirySeconds: config.uploadExpirySeconds,
    }),
    rootOf: (root, clientId, limits) => {
      const stores = allowedStores({ grants: grantsOf(buckets, clientId), urls }, limits);
      return s3Root(storage, root, stores.grants, stores.urls);
    },
    scratchRoot,
    copies,
    lockDir,
    checkStorage: bucketCheck(client, storage),
  };
}
