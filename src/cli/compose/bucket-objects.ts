import type { BucketSetting } from '../../config/storage-buckets.ts';
import type { OpenInBucket } from '../../media/bucket-media.ts';
import { type Bucket, type NamedBucket, namedBuckets } from '../../media/s3/bucket.ts';
import { openObject } from '../../media/s3/files/s3-files.ts';
import { keyLocks } from '../../media/s3/key-locks.ts';
import { unrecordedUploads } from '../../media/s3/multipart-uploads.ts';
import { openS3Objects, type S3Objects, type S3ObjectsOptions } from '../../media/s3/objects.ts';
import type { Store } from '../../store/store.ts';
import { openNamedBuckets } from './bucket-clients.ts';

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
export function openIn(named: readonly NamedBucket[]): OpenInBucket {
  const buckets = namedBuckets(named);
  return async (root, path) => {
    const bucket: Bucket | undefined = buckets.ofPath(root, path, 'read');
    return bucket && openObject({ client: bucket.client, location: bucket.location }, path);
  };
}

export function closeBuckets(named: readonly NamedBucket[]): void {
  for (const { client } of named) client.destroy();
}
