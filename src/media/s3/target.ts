import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { MediaPath } from '../../domain/media-path.ts';
import { TargetError } from '../file-errors.ts';
import { type Bucket, headOf, isFolder, parentsOf } from './bucket.ts';
import { isKeyTooLong } from './location.ts';

/**
 * Reads the head of the object at a path to which a file is to be written; undefined if there is none. Throws TargetError
 * for a path that is a folder or is below a file: S3 would allow it, but a disk would not, and engines answer alike. Also
 * throws TargetError for a path that is too long, and errors of S3.
 */
export async function headOfTarget(bucket: Bucket, path: MediaPath): Promise<HeadObjectCommandOutput | undefined> {
  if (isKeyTooLong(bucket.location, path)) throw new TargetError('name', path);
  const parents = parentsOf(bucket.location, path).map(async (parent) => (await headOf(bucket, parent)) !== undefined);
  const [head, folder, belowFile] = await Promise.all([
    headOf(bucket, path),
    isFolder(bucket, path),
    Promise.all(parents).then((found) => found.includes(true)),
  ]);
  if (head !== undefined) return head;
  if (folder) throw new TargetError('folder', path);
  if (belowFile) throw new TargetError('below-file', path);
  return undefined;
}
