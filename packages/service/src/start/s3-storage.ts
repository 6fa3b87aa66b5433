import { mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import { allowedStores } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { endOrphanProcesses } from '@telecine/ffmpeg/process/orphan-processes.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/read-settings.ts';
import { type BucketSetting, bucketAddress } from '../config/storage-buckets.ts';
import { type BucketReads, bucketFiles } from '../media/bucket-media.ts';
import { outsideRoot } from '../media/file-problems.ts';
import { receiptsIn } from '../media/receipts.ts';
import { type Bucket, type Buckets, type NamedBucket, namedBuckets } from '../media/s3/bucket.ts';
import { bucketCheck } from '../media/s3/bucket-check.ts';
import { chunkFilesOnS3 } from '../media/s3/chunk-files.ts';
import { s3Client } from '../media/s3/client.ts';
import { listObjectTree, openObject, s3Files } from '../media/s3/files/s3-files.ts';
import { s3Parts } from '../media/s3/files/upload-parts.ts';
import { keyLocks } from '../media/s3/key-locks.ts';
import { rootLocation, type S3Location, s3Root } from '../media/s3/location.ts';
import { abortAbandoned } from '../media/s3/multipart-uploads.ts';
import { openS3Objects, type S3Objects, type S3ObjectsOptions } from '../media/s3/objects.ts';
import { receiptObjects } from '../media/s3/receipt-objects.ts';
import { recentCopies } from '../media/s3/staging/recent-copies.ts';
import { s3Media } from '../media/s3/store.ts';
import { chunkFilesOnDisk } from '../media/scratch/chunk-files.ts';
import { probeCopies } from '../media/scratch/probe-copies.ts';
import { findScratchRoot, type ScratchParents } from '../media/scratch/scratch.ts';
import { urlInputs } from '../media/urls/url-failures.ts';
import type { Store } from '../store/store.ts';
import { everyHour } from './background-tasks.ts';
import { grantsOf, readBuckets, warnOfExposedFiles } from './bucket-settings.ts';
import type { Log } from './logger.ts';
import { lockMediaRoot } from './process/media-root-lock.ts';
import { isMissing } from './reserved-paths.ts';
import { chunksFolder, type Database, type MediaStorage } from './storage-parts.ts';

/**
 * Creates the S3 clients for the bucket of the service. `publicClient` uses the endpoint that the clients of the service can reach.
 * undefined: TELECINE_STORAGE_PUBLIC_ENDPOINT is not set.
 */
export function storageClients(config: Config) {
  const { storageEndpoint, storagePublicEndpoint } = config;
  const clientAt = (endpoint: string | undefined): S3Client =>
    s3Client({ ...(endpoint !== undefined && { endpoint }), region: config.storageRegion });
  return {
    client: clientAt(storageEndpoint),
    publicClient: storagePublicEndpoint === undefined ? undefined : clientAt(storagePublicEndpoint),
  };
}

/** Throws `ConfigError` if the folder for scratch folders is missing. */
export function requireScratchDir({ scratchDir }: Pick<Config, 'scratchDir'>): void {
  if (scratchDir !== undefined && isMissing(scratchDir))
    throw new ConfigError(
      `TELECINE_SCRATCH_DIR: there is no folder ${scratchDir}. Mount its disk, correct the path, or create the folder (mkdir -p).`,
    );
}

/** Opens media in a bucket. Locks the scratch folders if this service runs jobs. */
export async function openS3Storage(
  closers: AsyncDisposableStack,
  config: Config,
  storage: S3Location,
  log: Log['log'],
  database: Database,
  scratchParents: ScratchParents,
  { runsJobs, onLinked }: { readonly runsJobs: boolean; readonly onLinked: () => void },
): Promise<MediaStorage> {
  const { dataDir, minFreeBytes } = config;
  const { client, publicClient } = storageClients(config);
  closers.defer(() => {
    client.destroy();
    publicClient?.destroy();
  });
  requireScratchDir(config);
  const wanted = config.scratchDir ?? dataDir;
  await mkdir(wanted, { recursive: true });
  const folder = await realpath(wanted);
  const scratchRoot = await findScratchRoot(folder, dataDir, scratchParents);
  const copies = probeCopies({ scratchRoot, isPeer: scratchParents.isPeer, log });
  const lockDir = database.isShared ? join(dataDir, 'jobs') : dirname(scratchRoot);
  if (runsJobs) closers.defer(lockMediaRoot(folder, lockDir, log));
  const buckets = readBuckets(config);
  warnOfExposedFiles(buckets, log);
  const named = openNamedBuckets(buckets);
  closers.defer(() => closeBuckets(named));
  const { leases, outputUploads, resumableUploads } = database.store;
  const locks = keyLocks(leases, outputUploads);
  const media = await s3Media({
    client,
    storage,
    named,
    uploads: outputUploads,
    copies,
    locks,
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
  const isRecorded = async (uploadId: string): Promise<boolean> =>
    (await resumableUploads.isInUse(uploadId)) || (await outputUploads.isRecorded(uploadId));
  closers.use(everyHour(() => abortAbandoned(client, storage, isRecorded), log, { startsNow: true }));
  const chunksName = await chunksFolder(database.store);
  // Only one service uses a database that is not shared, so it needs no upload to read its chunks.
  const chunkFiles = database.isShared
    ? chunkFilesOnS3({
        ...{ client, folders: media.folders, log, minFreeBytes, freeBytes: media.freeBytes },
        storage,
        name: chunksName,
      })
    : chunkFilesOnDisk({ ...{ folder, dataDir, isShared: false, folders: media.folders, log }, name: chunksName });
  const urls = urlInputs(config.inputUrls);
  const files = s3Files({
    client,
    ...(publicClient && { publicClient }),
    locks,
  });
  return {
    media,
    files: bucketFiles(files, async () => bucketReads(namedBuckets(named))),
    uploadParts: s3Parts({ client, locks }),
    rootOf: (root, clientId, limits) => {
      const stores = allowedStores({ grants: grantsOf(buckets, clientId), urls }, limits);
      return s3Root(storage, root, stores.grants, stores.urls);
    },
    folderOf: (root) => {
      const { bucket, prefix } = rootLocation(root);
      return `${bucket}/${prefix}`;
    },
    scratchRoot,
    copies,
    lockDir,
    chunkFiles,
    receipts: receiptsIn(receiptObjects(client, storage)),
    checkStorage: bucketCheck(client, storage),
  };
}

/** Creates an S3 client with its own credentials for each bucket. A missing profile is reported by the first request to the bucket. */
export const openNamedBuckets = (buckets: readonly BucketSetting[]): readonly NamedBucket[] =>
  buckets.map((setting) => {
    const { bucket, prefix, access, endpoint, region, profile, credentialsFile } = setting;
    const hasProfile = profile !== undefined || credentialsFile !== undefined;
    return {
      access,
      location: { bucket, prefix, address: bucketAddress(setting) },
      client: s3Client({
        ...(endpoint !== undefined && { endpoint }),
        region,
        ...(hasProfile && {
          credentials: fromIni({
            profile: profile ?? 'default',
            ...(credentialsFile !== undefined && { filepath: credentialsFile }),
          }),
        }),
      }),
    };
  });

/** Access to objects in buckets, for a service whose media root is on a disk. */
export interface BucketObjects extends BucketReads {
  readonly objects: S3Objects;
  close(): Promise<void>;
}

/** Opens the S3 clients of the buckets. */
export async function openBucketObjects(
  settings: readonly BucketSetting[],
  { leases, outputUploads: uploads }: Pick<Store, 'leases' | 'outputUploads'>,
  options: Omit<S3ObjectsOptions, 'buckets' | 'uploads' | 'locks' | 'recent'>,
): Promise<BucketObjects> {
  const named = openNamedBuckets(settings);
  const buckets = namedBuckets(named);
  const recent = recentCopies(options);
  const objects = await openS3Objects({
    ...options,
    recent,
    buckets,
    uploads,
    locks: keyLocks(leases, uploads),
  });
  const close = async (): Promise<void> => {
    await recent.clear();
    closeBuckets(named);
  };
  return { objects, ...bucketReads(buckets), close };
}

/** Reads objects in buckets that requests name. */
export function bucketReads({ ofPath }: Buckets): BucketReads {
  const isSame = (a: Bucket, b: Bucket | undefined): boolean => a.location.address === b?.location.address;
  return {
    open: async (root, path) => {
      const bucket = ofPath(root, path, 'read');
      return bucket && openObject(bucket, path);
    },
    listTree: async (root, folder, most, signal) => {
      const bucket = ofPath(root, `${folder}/` as MediaPath, 'read');
      if (bucket === undefined) throw outsideRoot();
      const tree = await listObjectTree(bucket, folder, most, signal);
      // Another bucket of the operator can be below the folder.
      return tree && { ...tree, files: tree.files.filter(({ path }) => isSame(bucket, ofPath(root, path, 'read'))) };
    },
  };
}

export function closeBuckets(named: readonly NamedBucket[]): void {
  for (const { client } of named) client.destroy();
}
