import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { fileNotFound, notAFile } from '../../file-problems.ts';
import { headOf, isFolder } from '../bucket.ts';
import { keyOf } from '../location.ts';
import { fileProblem } from './file-problems.ts';
import { factsOf } from './object-facts.ts';
import type { S3Files } from './s3-files-options.ts';

/** Deletes the file at a client's path. */
export async function removeFile(files: S3Files, path: MediaPath, check: FileCheck): Promise<void> {
  const { client, location, locks } = files;
  const key = keyOf(location, path);
  try {
    await locks.exclusive(location, key, async () => {
      const head = await headOf(files, path);
      if (head === undefined && (await isFolder(files, path))) throw notAFile(path);
      check(head && factsOf(path, { ...head, sizeBytes: head.ContentLength }));
      if (head === undefined) throw fileNotFound(path);
      await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: key }));
    });
  } catch (error) {
    throw fileProblem('deleting the file', error);
  }
}
