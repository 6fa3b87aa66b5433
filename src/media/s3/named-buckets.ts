import { findByKey, isBucketPath, isGranted, splitBucketPath } from '../../domain/bucket-path.ts';
import type { Bucket, Buckets } from './bucket.ts';
import { rootLocation, type S3Location } from './location.ts';
import { otherStorage } from './publish/intent.ts';

/** A bucket, or a part of one, that requests name by its address. */
export interface NamedBucket extends Bucket {
  readonly location: Required<S3Location>;
  readonly access: 'read' | 'readWrite';
}

/** The buckets that requests name. `storage`: the storage of the service, if it is a bucket. */
export function namedBuckets(named: readonly NamedBucket[], storage?: Bucket): Buckets {
  const entries = named.map((entry) => ({ ...entry, ...entry.location }));
  const writable = entries.filter(({ access }) => access === 'readWrite');
  return {
    ofPath: (root, path, use) => {
      if (!isBucketPath(path)) return storage && { client: storage.client, location: rootLocation(root) };
      if (!isGranted(root.grants, path, use)) return undefined;
      const { bucket, key } = splitBucketPath(path);
      return findByKey(entries, bucket, key);
    },
    ofList: ({ bucket, address }) => {
      if (address === undefined) {
        if (storage?.location.bucket === bucket) return storage;
        throw otherStorage(`publish intent of the bucket "${bucket}"`);
      }
      return writable.find(({ location }) => location.address === address);
    },
    // The prefix of the storage may be another one now.
    clientOf: (bucket, key) =>
      findByKey(writable, bucket, key)?.client ?? (storage?.location.bucket === bucket ? storage.client : undefined),
  };
}
