import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { ifFound, s3ErrorKind } from './errors.ts';

/** How often a deletion is tried that conflicts with another request for the same key, and the pause after the first try. */
const MAX_ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/**
 * Deletes an object if `accepts` returns true for its head. Resolves to false, and deletes nothing, if it returns false for
 * the object, or for one that replaces it before it is deleted. Resolves to true if there is no object. Throws errors of S3.
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
  for (let attempt = 1; ; attempt += 1)
    try {
      await ifFound(client.send(new DeleteObjectCommand({ ...target, IfMatch: head.ETag })));
      return true;
    } catch (error) {
      const isConflict = isStatus(error, 409);
      if (!isConflict && !mayBeAboutCondition(error)) throw error;
      const current = await readHead();
      if (current === undefined) return true;
      if (current.ETag !== head.ETag || !accepts(current)) return false;
      if (isConflict) {
        // Another request for the key runs, and may store a new object after this head was read. So keep the condition.
        if (attempt === MAX_ATTEMPTS) throw error;
        await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1));
        continue;
      }
      // The request failed, but the object is unchanged: the server does not support the condition, or compares ETags
      // with their quotes. Delete without the condition.
      await ifFound(client.send(new DeleteObjectCommand(target)));
      return true;
    }
}

function mayBeAboutCondition(error: unknown): boolean {
  const kind = s3ErrorKind(error);
  return kind === 'precondition' || kind === 'rejected' || isStatus(error, 501);
}

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === status;
