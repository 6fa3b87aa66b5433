import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import pLimit from 'p-limit';
import type { PathStat, PathStats } from '../../jobs/ports/media-store.ts';
import { type Bucket, type Buckets, isFolder } from './bucket.ts';
import { decodeKey } from './list-pages.ts';
import { isKeyTooLong, keyOf } from './location.ts';
import { fileVersionOf } from './object-facts.ts';

/**
 * How long a submission waits for the object store. After that, a path counts as missing, and the job reports the fault
 * later.
 */
const TIMEOUT_MS = 2000;

/**
 * The maximum number of requests that one submission sends at the same time. Each takes 1 to 2 ms of processor time,
 * mostly for its signature.
 */
const AT_ONCE = 8;

/** Stats the paths of submissions. */
export const createPathStats =
  (buckets: Pick<Buckets, 'ofPath'>): PathStats['statPaths'] =>
  (root, paths) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return pLimit(AT_ONCE).map(paths, async (path) => {
      const bucket = buckets.ofPath(root, path, 'read');
      if (bucket === undefined || signal.aborted) return MISSING;
      return statPath(bucket, path, signal).catch(() => MISSING);
    });
  };

const MISSING: PathStat = { kind: 'missing' };

async function statPath(bucket: Bucket, path: MediaPath, signal: AbortSignal): Promise<PathStat> {
  const { client, location } = bucket;
  if (isKeyTooLong(location, path)) return MISSING;
  const key = keyOf(location, path);
  const found = await firstObject(bucket, key, signal);
  if (found === undefined) return MISSING;
  const { key: first, object } = found;
  const { sizeBytes } = object;
  if (first === key)
    return {
      ...{ kind: 'file', ...fileVersionOf(location.bucket, key, object) },
      ...(sizeBytes !== undefined && { sizeBytes }),
    };
  // For the path "a", `first` can be another file, such as "a-b", which S3 sorts before the keys in the folder "a". So
  // ask for the folder.
  const isDirectory = first.startsWith(`${key}/`) || (await isFolder({ client, location }, path, signal));
  return isDirectory ? { kind: 'directory' } : MISSING;
}

/** Finds the first object whose key is `start` or begins with it. */
async function firstObject(
  { client, location }: Bucket,
  start: string,
  signal: AbortSignal,
): Promise<{ readonly key: string; readonly object: Parameters<typeof fileVersionOf>[2] } | undefined> {
  const command = new ListObjectsV2Command({
    Bucket: location.bucket,
    Prefix: start,
    MaxKeys: 1,
    // Ask for encoded keys: XML cannot contain every character of a key.
    EncodingType: 'url',
  });
  const { Contents, EncodingType } = await client.send(command, { abortSignal: signal });
  const [object] = Contents ?? [];
  if (object?.Key === undefined) return undefined;
  const found = { object: { ETag: object.ETag, sizeBytes: object.Size } };
  if (EncodingType !== 'url') return { key: object.Key, ...found };
  const { key, parents } = decodeKey(object.Key);
  // If the key is not UTF-8, return the folder that contains it.
  return { key: key ?? `${parents.at(-1) ?? ''}/`, ...found };
}
