import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { JobOutput } from '../../../domain/job.ts';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import { type Bucket, headOf } from '../bucket.ts';
import { ifFound } from '../errors.ts';
import { keyOf } from '../location.ts';
import type { KeyLocks } from '../locks/key-locks.ts';
import { isOutputObject } from '../output-object.ts';
import { storageFailure } from '../s3-failures.ts';

export interface RemoveDeps {
  /** The bucket of an output. */
  readonly bucketOf: (path: MediaPath) => Bucket;
  readonly locks: KeyLocks;
}

/** Deletes outputs of a job. Skips an object that is missing or was replaced since. Throws STORAGE_FAULT. */
export async function removeOutputs(
  { bucketOf, locks }: RemoveDeps,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  for (const { path: text, fingerprint } of outputs) {
    const path = parseMediaPath(text, '/');
    if (typeof path === 'string')
      await removeOutput(bucketOf(path), locks, path, fingerprint).catch((error) => {
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
  const isOutput = async (): Promise<boolean> => {
    const head = await headOf(bucket, path);
    return head !== undefined && isOutputObject(head, fingerprint);
  };
  if (!(await isOutput())) return;
  const key = keyOf(location, path);
  await locks.exclusive(location, key, async () => {
    if (await isOutput()) await ifFound(client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: key })));
  });
}
