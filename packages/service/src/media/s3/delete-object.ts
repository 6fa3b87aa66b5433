import {
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ifFound, s3ErrorKind } from './errors.ts';

/**
 * Deletes an object if `accepts` returns true for its head. Resolves to false, and deletes nothing, if it returns false for
 * the object, or for one that replaces it before it is deleted. Resolves to true if there is no object.
 *
 * `known`: the head, if it has just been read. The request has the ETag of the head as its condition: another program may
 * replace the object, or another process if this one pauses for longer than its lock on the key. (On servers that ignore the
 * condition, such as radosgw 16.2 and MinIO, the new object would be deleted.)
 */
export async function deleteIf(
  client: S3Client,
  bucket: string,
  key: string,
  accepts: (head: HeadObjectCommandOutput) => boolean,
  known?: HeadObjectCommandOutput,
): Promise<boolean> {
  const target = { Bucket: bucket, Key: key };
  const readHead = () => ifFound(client.send(new HeadObjectCommand(target)));
  const head = known ?? (await readHead());
  if (head === undefined) return true;
  if (!accepts(head)) return false;
  try {
    await ifFound(client.send(new DeleteObjectCommand({ ...target, IfMatch: head.ETag })));
  } catch (error) {
    if (!mayBeAboutCondition(error)) throw error;
    const current = await readHead();
    if (current === undefined) return true;
    if (current.ETag !== head.ETag || !accepts(current)) return false;
    // The request failed, but the object is unchanged: the server does not support the condition, or compares ETags
    // with their quotes. Delete without the condition.
    await ifFound(client.send(new DeleteObjectCommand(target)));
  }
  return true;
}

function mayBeAboutCondition(error: unknown): boolean {
  const kind = s3ErrorKind(error);
  if (kind === 'precondition' || kind === 'rejected') return true;
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 501;
}
