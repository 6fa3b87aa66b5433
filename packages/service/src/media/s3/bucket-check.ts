import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { StorageDown } from '@telecine/contract/domain/failure.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { Bucket } from './bucket.ts';
import { s3ErrorName } from './errors.ts';
import type { S3Location } from './location.ts';
import { outputFailure } from './s3-failures.ts';

/** How long a check does not write again after a successful write, because providers charge for each write. */
const WRITE_INTERVAL_MS = 60_000;

/** How long the bucket counts as reachable after a check, for the same reason. */
const OK_MS = 10_000;

const TIMEOUT_MS = 1500;

/** The key of the object that a check writes. All checks use the same key, so that they leave at most one object. */
const trialKey = ({ prefix }: Pick<S3Location, 'prefix'>): string => `${prefix}${RESERVED_PREFIX}/ready`;

interface BucketCheckOptions {
  readonly timeoutMs?: number;
  /** true: the check only lists objects and writes none. */
  readonly readsOnly?: boolean;
}

/**
 * Creates a check of a bucket. The check lists objects, and writes and deletes an object unless that succeeded within
 * the last minute. It resolves to undefined if all is well, or was within the last ten seconds unless `isNow`, and
 * otherwise to a sentence about the fault, without hosts and keys.
 */
export function bucketCheck(
  client: S3Client,
  { bucket, prefix, address }: S3Location,
  { timeoutMs = TIMEOUT_MS, readsOnly = false }: BucketCheckOptions = {},
): (isNow?: boolean) => Promise<string | undefined> {
  let [writtenAt, okAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return async (isNow = false) => {
    if (!isNow && performance.now() - okAt < OK_MS) return undefined;
    const options = { abortSignal: AbortSignal.timeout(timeoutMs) };
    let action = 'listed';
    try {
      await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), options);
      okAt = performance.now();
      if (readsOnly || okAt - writtenAt < WRITE_INTERVAL_MS) return undefined;
      const object = { Bucket: bucket, Key: trialKey({ prefix }) };
      action = 'written';
      await client.send(new PutObjectCommand({ ...object, Body: 'ready' }), options);
      action = 'deleted';
      await client.send(new DeleteObjectCommand(object), options);
      writtenAt = performance.now();
      return undefined;
    } catch (error) {
      okAt = Number.NEGATIVE_INFINITY;
      const where = address === undefined ? 'Objects in the bucket of TELECINE_STORAGE' : `${address}: objects`;
      return `${where} cannot be ${action} (${s3ErrorName(error)}).`;
    }
  };
}

/**
 * Writes a small object and deletes it; see `Publishing.tryToWrite`. `path`: the path of the client, for error
 * messages.
 */
export async function tryToWrite({ client, location }: Bucket, path: MediaPath, signal: AbortSignal): Promise<void> {
  const object = { Bucket: location.bucket, Key: trialKey(location) };
  const options = { abortSignal: signal };
  try {
    await client.send(new PutObjectCommand({ ...object, Body: 'ready' }), options);
    await client.send(new DeleteObjectCommand(object), options);
  } catch (error) {
    signal.throwIfAborted();
    const failure = outputFailure(path, error);
    if (failure instanceof StorageDown) throw failure;
  }
}
