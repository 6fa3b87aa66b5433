import {
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ifFound, s3ErrorKind } from './errors.ts';

/**
 * Deletes an object, unless `isOwn` says of its head that it is another one. The deletion has the ETag of that head as its
 * condition: this process can be paused after it has read the head, longer than it holds the lock of the key, and another
 * one can replace the object meanwhile. Servers that ignore the condition (radosgw 16.2, MinIO) then delete the new object.
 */
export async function deleteOwnObject(
  client: S3Client,
  bucket: string,
  key: string,
  isOwn: (head: HeadObjectCommandOutput) => boolean,
): Promise<void> {
  const target = { Bucket: bucket, Key: key };
  const findOwn = async (): Promise<HeadObjectCommandOutput | undefined> => {
    const head = await ifFound(client.send(new HeadObjectCommand(target)));
    return head !== undefined && isOwn(head) ? head : undefined;
  };
  const head = await findOwn();
  if (head === undefined) return;
  try {
    await ifFound(client.send(new DeleteObjectCommand({ ...target, IfMatch: head.ETag })));
  } catch (error) {
    if (!mayBeAboutCondition(error)) throw error;
    // The server does not know the condition, or compares ETags with their quotes, if the object is still the same.
    if ((await findOwn())?.ETag === head.ETag) await ifFound(client.send(new DeleteObjectCommand(target)));
  }
}

function mayBeAboutCondition(error: unknown): boolean {
  const kind = s3ErrorKind(error);
  if (kind === 'precondition' || kind === 'rejected') return true;
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501;
}
