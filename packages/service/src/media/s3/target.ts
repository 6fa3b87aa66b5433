import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { TargetError } from '../errno-codes.ts';
import { type Bucket, headOf, isFolder, parentsOf } from './bucket.ts';
import { findKeys } from './find-keys.ts';
import { isKeyTooLong, keyOf } from './location.ts';
import { runForAll } from './run-for-all.ts';

type IsFile = (path: MediaPath) => Promise<boolean>;

/**
 * Reads the head (the metadata) of the object at the path of a new file. undefined: there is none. Throws errors of S3.
 * Throws a TargetError for a path that is too long, is a folder or is below a file. (S3 would allow a file that is also
 * a folder; a disk would not.)
 */
export async function headOfTarget(
  bucket: Bucket,
  path: MediaPath,
  isFile: IsFile = isFileIn(bucket),
): Promise<HeadObjectCommandOutput | undefined> {
  if (isKeyTooLong(bucket.location, path)) throw new TargetError('name', path);
  const [head, folder, belowFile] = await Promise.all([
    headOf(bucket, path),
    isFolder(bucket, path),
    isBelowFile(bucket, path, isFile),
  ]);
  if (head === undefined) checkFree(path, folder, belowFile);
  return head;
}

/** Returns those of `paths` that have an object. Throws the errors of `headOfTarget`. */
export async function takenTargets(bucket: Bucket, paths: readonly MediaPath[]): Promise<ReadonlySet<MediaPath>> {
  const { location } = bucket;
  const tooLong = paths.find((path) => isKeyTooLong(location, path));
  if (tooLong !== undefined) throw new TargetError('name', tooLong);
  const listed = await findKeys(
    bucket.client,
    location.bucket,
    paths.map((path) => keyOf(location, path)),
  );
  const isFile = once(isFileIn(bucket));
  const taken = new Set<MediaPath>();
  await runForAll(paths, async (path) => {
    const key = keyOf(location, path);
    const exists = listed?.objects.has(key) ?? (await headOfTarget(bucket, path, isFile)) !== undefined;
    if (exists) taken.add(path);
    else if (listed) checkFree(path, listed.folders.has(key), await isBelowFile(bucket, path, isFile));
  });
  return taken;
}

function checkFree(path: MediaPath, isFolder: boolean, isBelowFile: boolean): void {
  if (isFolder) throw new TargetError('folder', path);
  if (isBelowFile) throw new TargetError('below-file', path);
}

const isFileIn =
  (bucket: Bucket): IsFile =>
  async (path) =>
    (await headOf(bucket, path)) !== undefined;

/** Sends one request per path and shares the reply, because many files have the same folders above them. */
function once(isFile: IsFile): IsFile {
  const replies = new Map<MediaPath, Promise<boolean>>();
  return (path) => {
    const reply = replies.get(path) ?? isFile(path);
    replies.set(path, reply);
    return reply;
  };
}

const isBelowFile = async ({ location }: Bucket, path: MediaPath, isFile: IsFile): Promise<boolean> =>
  (await Promise.all(parentsOf(location, path).map(isFile))).includes(true);
