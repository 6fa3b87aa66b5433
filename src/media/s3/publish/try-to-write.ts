import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { StorageDown } from '../../../domain/failure.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Bucket } from '../bucket.ts';
import { trialKey } from '../bucket-check.ts';
import { outputFailure } from '../s3-failures.ts';

/** Writes a small object and deletes it; see `Publishing.tryToWrite`. `path`: the client's path, for messages. */
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
