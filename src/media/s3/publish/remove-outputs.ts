import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { JobOutput } from '../../../domain/job.ts';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import { type Bucket, headOf } from '../bucket.ts';
import { ifFound } from '../errors.ts';
import { keyOf } from '../location.ts';
import { isOutputObject } from '../output-object.ts';
import { storageFailure } from '../s3-failures.ts';
import type { PublishDeps } from './prepare.ts';

/** Deletes outputs of a job. Skips an object that is missing or was replaced since. Throws STORAGE_FAULT. */
export async function removeOutputs(
  bucket: Bucket & Pick<PublishDeps, 'locks'>,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  for (const { path: text, fingerprint } of outputs) {
    const path = parseMediaPath(text, '/');
    if (typeof path === 'string')
      await removeOutput(bucket, path, fingerprint).catch((error) => {
        throw storageFailure(`deleting "${path}"`, error);
      });
  }
}

async function removeOutput(
  bucket: Bucket & Pick<PublishDeps, 'locks'>,
  path: MediaPath,
  fingerprint: string | undefined,
): Promise<void> {
  const { client, location, locks } = bucket;
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
