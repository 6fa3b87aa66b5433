import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { fromIni } from '@aws-sdk/credential-provider-ini';
import type { ClientRoots } from '../../auth/client-administration.ts';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { type BucketSetting, bucketAddress } from '../../config/storage-buckets.ts';
import { allowedStores } from '../../domain/client.ts';
import type { Finding } from '../../domain/finding.ts';
import { parseMediaPath } from '../../domain/media-path.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { endOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { bucketFiles, type OpenInBucket } from '../../media/bucket-media.ts';
import { type Bucket, type NamedBucket, namedBuckets } from '../../media/s3/bucket.ts';
import { bucketCheck } from '../../media/s3/bucket-check.ts';
import { s3Client } from '../../media/s3/client.ts';
import { s3Parts } from '../../media/s3/files/resumable-parts.ts';
import { openObject, s3Files } from '../../media/s3/files/s3-files.ts';
import { keyLocks } from '../../media/s3/key-locks.ts';
import { rootLocation, type S3Location, s3Root } from '../../media/s3/location.ts';
import { openUploads, unrecordedUploads } from '../../media/s3/multipart-uploads.ts';
import { openS3Objects, type S3Objects, type S3ObjectsOptions } from '../../media/s3/objects.ts';
import { s3Media } from '../../media/s3/store.ts';
import { probeCopies } from '../../media/scratch/probe-copies.ts';
import { findScratchRoot, type ScratchParents } from '../../media/scratch/scratch.ts';
import { urlInputs } from '../../media/urls/url-failures.ts';
import type { Store } from '../../store/store.ts';
import type { Log } from '../logger.ts';
import { lockMediaRoot } from '../process/media-root-lock.ts';
import { everyHour } from './background-tasks.ts';
import { grantsOf, readBuckets, warnOfExposedFiles } from './bucket-settings.ts';
import { isMissing, realPathOfFolder } from './reserved-paths.ts';
import type { Database, MediaStorage } from './storage-parts.ts';

type StorageConfig = Pick<Config, 'storageEndpoint' | 'storagePublicEndpoint' | 'storageRegion' | 'storagePathStyle'>;

/** A bucket, and the clients for it. */
interface BucketClient {
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
function requireScratchDir({ scratchDir }: Pick<Config, 'scratchDir'>): void {
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

/**
 * Creates a client for each bucket, with its own credentials. A profile that is missing is an error of the first request,
 * never a reason to use other credentials.
 */
const openNamedBuckets = (buckets: readonly BucketSetting[]): readonly NamedBucket[] =>
  buckets.map((setting) => {
    const { bucket, prefix, access, endpoint, region, pathStyle, profile, credentialsFile } = setting;
    const hasProfile = profile !== undefined || credentialsFile !== undefined;
    return {
      access,
      location: { bucket, prefix, address: bucketAddress(setting) },
      client: s3Client({
        ...(endpoint !== undefined && { endpoint }),
        region,
        pathStyle,
        ...(hasProfile && {
          credentials: fromIni({
            profile: profile ?? 'default',
            ...(credentialsFile !== undefined && { filepath: credentialsFile }),
          }),
        }),
      }),
    };
  });

/** The objects in other buckets, of a service whose media root is on a disk. */
export interface BucketObjects {
  readonly objects: S3Objects;
  readonly open: OpenInBucket;
  close(): void;
}

/** Opens the clients of the buckets. Loaded at the first use, because most services use no object store. */
export async function openBucketObjects(
  settings: readonly BucketSetting[],
  { leases, outputUploads: uploads }: Pick<Store, 'leases' | 'outputUploads'>,
  options: Omit<S3ObjectsOptions, 'buckets' | 'uploads' | 'locks' | 'unrecordedUploads'>,
): Promise<BucketObjects> {
  const named = openNamedBuckets(settings);
  const objects = await openS3Objects({
    ...options,
    buckets: namedBuckets(named),
    uploads,
    locks: keyLocks(leases, uploads),
    unrecordedUploads: unrecordedUploads(leases, uploads),
  });
  return { objects, open: openIn(named), close: () => closeBuckets(named) };
}

/** Opens objects in the buckets that requests name. */
function openIn(named: readonly NamedBucket[]): OpenInBucket {
  const buckets = namedBuckets(named);
  return async (root, path) => {
    const bucket: Bucket | undefined = buckets.ofPath(root, path, 'read');
    return bucket && openObject({ client: bucket.client, location: bucket.location }, path);
  };
}

function closeBuckets(named: readonly NamedBucket[]): void {
  for (const { client } of named) client.destroy();
}

/** Media roots that are prefixes in the object store of the service. */
export function prefixRoots(config: Parameters<typeof storageClient>[0], storage: S3Location): ClientRoots {
  const ofService = `s3://${storage.bucket}/${storage.prefix}`;
  const shown = (dir: string): string => `${ofService}${dir}/`;
  return {
    ofService,
    ownFolder: (name) => name,
    resolve: async (dir) => {
      if (/^[./]*$/.test(dir) && dir.trim() !== '' && !dir.includes('..')) return ofService;
      const path = parseMediaPath(dir.replace(/\/+$/, ''), '/');
      if (typeof path === 'string') return path;
      throw invalidRequest([
        {
          field: '/root',
          code: path.code,
          message: `"${dir}" is not a folder in ${ofService}. ${path.message}`,
          fix: 'Send the path of a folder, such as teams/amy, or --root . to share everything.',
        },
      ]);
    },
    hasEntries: async (dir) => {
      const { client } = storageClient(config, storage);
      const { bucket, prefix } = rootLocation(s3Root(storage, dir));
      const list = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 });
      const { KeyCount = 0 } = await client.send(list).finally(() => client.destroy());
      return KeyCount > 0;
    },
    shown,
  };
}

/** The time for all requests of the check of one bucket, with their retries. */
const TIMEOUT_MS = 15_000;

/** Checks that objects in each bucket that requests may name can be listed and, if requests may, written and deleted. */
export async function checkBuckets(settings: readonly BucketSetting[]): Promise<readonly Finding[]> {
  const buckets = openNamedBuckets(settings);
  try {
    return await Promise.all(
      buckets.map(async ({ client, location, access }): Promise<Finding> => {
        const readsOnly = access === 'read';
        const wrong = await bucketCheck(client, location, { timeoutMs: TIMEOUT_MS, readsOnly })();
        const actions = readsOnly ? 'listed' : 'listed, written and deleted';
        if (wrong === undefined)
          return { name: 'bucket', state: 'ok', says: `${location.address}: objects can be ${actions}` };
        return {
          name: 'bucket',
          state: 'bad',
          says: wrong,
          fix: 'Correct its entry in the file of TELECINE_STORAGE_BUCKETS, or its credentials (docs/operate/s3.md#other-buckets).',
        };
      }),
    );
  } finally {
    for (const { client } of buckets) client.destroy();
  }
}

/** Checks that objects in the bucket of the service can be listed, written and deleted. */
export async function checkStorage(config: Config, storage: S3Location): Promise<Finding> {
  const { client } = storageClient(config, storage);
  try {
    requireScratchDir(config);
    const wrong = await bucketCheck(client, storage, { timeoutMs: TIMEOUT_MS })();
    if (wrong !== undefined) throw new Error(wrong);
    const says = `s3://${storage.bucket}/${storage.prefix}: objects can be listed, written and deleted`;
    return { name: 'storage', state: 'ok', says };
  } catch (error) {
    return {
      name: 'storage',
      state: 'bad',
      says: error instanceof Error ? error.message : String(error),
      fix: 'Create the bucket, or correct TELECINE_STORAGE, TELECINE_STORAGE_ENDPOINT and the credentials (docs/operate/s3.md).',
    };
  } finally {
    client.destroy();
  }
}
