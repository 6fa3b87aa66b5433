import { DeleteObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { MediaPath } from '../../../domain/media-path.ts';
import { folderNotEmpty, folderNotFound } from '../../file-problems.ts';
import { keyOf } from '../location.ts';
import { fileProblem } from './file-problems.ts';
import type { S3Files } from './s3-files-options.ts';

/**
 * Deletes an empty folder. A folder of an object store ends with its last file, unless another program has created an
 * object with the name of the folder and a slash, which this deletes.
 */
export async function removeFolder({ client, location }: S3Files, path: MediaPath): Promise<void> {
  const marker = `${keyOf(location, path)}/`;
  try {
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: location.bucket, Prefix: marker, MaxKeys: 2 }),
    );
    if (Contents.length === 0) throw folderNotFound(path);
    if (Contents.length > 1 || Contents[0]?.Key !== marker) throw folderNotEmpty(path);
    await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: marker }));
  } catch (error) {
    throw fileProblem('deleting the folder', error);
  }
}
