import { HeadObjectCommand, type HeadObjectCommandOutput, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import { notAFile } from '../../file-problems.ts';
import { ifFound } from '../errors.ts';
import { isKeyTooLong, keyOf } from '../location.ts';
import type { S3Files } from './s3-files-options.ts';

/** Reads the head of the object at a path. Undefined if there is none. */
export async function headOf(
  { client, location }: S3Files,
  path: MediaPath,
): Promise<HeadObjectCommandOutput | undefined> {
  if (isKeyTooLong(location, path)) return undefined;
  return ifFound(client.send(new HeadObjectCommand({ Bucket: location.bucket, Key: keyOf(location, path) })));
}

/** Whether a folder is at a path: an object has a key below it. */
export async function isFolder({ client, location }: S3Files, path: MediaPath): Promise<boolean> {
  const { KeyCount = 0 } = await client.send(
    new ListObjectsV2Command({ Bucket: location.bucket, Prefix: `${keyOf(location, path)}/`, MaxKeys: 1 }),
  );
  return KeyCount > 0;
}

/**
 * Reads the head of the object at a path to which a file is written. Undefined if there is none. Throws NOT_A_FILE for a
 * path that is a folder or is below a file: S3 would allow it, but the path could not be on a disk.
 */
export async function headOfTarget(files: S3Files, path: MediaPath): Promise<HeadObjectCommandOutput | undefined> {
  const head = await headOf(files, path);
  if (head !== undefined) return head;
  const parents = parentsOf(path).map(async (parent) => (await headOf(files, parent)) !== undefined);
  if ((await Promise.all([isFolder(files, path), ...parents])).includes(true)) throw notAFile(path);
  return undefined;
}

/** The folders above a path. */
function parentsOf(path: MediaPath): readonly MediaPath[] {
  const segments = path.split('/');
  return segments.slice(1).flatMap((_, i) => {
    const parent = parseMediaPath(segments.slice(0, i + 1).join('/'), '/');
    return typeof parent === 'string' ? [parent] : [];
  });
}
