import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { parseStoredPath } from '../../../domain/bucket-path.ts';
import type { JobOutput } from '../../../domain/job.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import { type Bucket, headOf } from '../bucket.ts';
import { deleteOwnObject } from '../delete-object.ts';
import { keyOf } from '../location.ts';
import type { KeyLocks } from '../locks/key-locks.ts';
import { isOutputObject } from '../output-object.ts';
import { storageFailure } from '../s3-failures.ts';

export interface RemoveDeps {
  /** The bucket of an output. Undefined if the client may not delete it. */
  readonly bucketOf: (path: MediaPath) => Bucket | undefined;
  readonly locks: KeyLocks;
}

/**
 * Deletes outputs of a job. Skips an object that is missing, was replaced since, or is in a bucket that the client may not
 * write any more. Throws STORAGE_FAULT.
 */
export async function removeOutputs(
  { bucketOf, locks }: RemoveDeps,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  for (const { path: text, fingerprint } of outputs) {
    const path = parseStoredPath(text);
    const bucket = typeof path === 'string' ? bucketOf(path) : undefined;
    if (typeof path === 'string' && bucket !== undefined)
      await removeOutput(bucket, locks, path, fingerprint).catch((error) => {
        throw storageFailure(`deleting "${path}"`, error);
      });
  }
}

async function removeOutput(
  bucket: Bucket,
  locks: KeyLocks,
  path: MediaPath,
  fingerprint: string | undefined,
): Promise<void> {
  const { client, location } = bucket;
  const isOutput = (head: HeadObjectCommandOutput): boolean => isOutputObject(head, fingerprint);
  const head = await headOf(bucket, path);
  if (head === undefined || !isOutput(head)) return;
  const key = keyOf(location, path);
  await locks.exclusive(location, key, () => deleteOwnObject(client, location.bucket, key, isOutput));
}
