import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { MediaPath } from '../../domain/media-path.ts';
import type { PathStat, PathStats } from '../../jobs/ports/media-store.ts';
import { type Bucket, type Buckets, isFolder } from './bucket.ts';
import { decodeKey } from './list-keys.ts';
import { isKeyTooLong, keyOf, objectId } from './location.ts';
import { fingerprintOf } from './object-facts.ts';

/**
 * How long a submission waits for the object store. After that a path counts as missing, which a submission allows: the
 * job reports what is wrong.
 */
const TIMEOUT_MS = 2000;

/** How many paths of a submission are looked at together. A request takes 1 to 2 ms of processor time, mostly to sign it. */
const AT_ONCE = 8;

/** Stats the paths of submissions, some at a time. */
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
  const { key: first, fingerprint } = found;
  if (first === key) return { kind: 'file', fileId: objectId(location.bucket, key), fingerprint };
  // A key such as "a-b" comes before those of the folder "a".
  const isDirectory = first.startsWith(`${key}/`) || (await isFolder({ client, location }, path, signal));
  return isDirectory ? { kind: 'directory' } : MISSING;
}

interface FoundObject {
  readonly key: string;
  readonly fingerprint: string;
}

/** The object with the first of the keys that begin with `start`: `start` itself if it has one. Undefined if there are none. */
async function firstObject(
  { client, location }: Bucket,
  start: string,
  signal: AbortSignal,
): Promise<FoundObject | undefined> {
  const command = new ListObjectsV2Command({
    Bucket: location.bucket,
    Prefix: start,
    MaxKeys: 1,
    // XML cannot contain every character of a key.
    EncodingType: 'url',
  });
  const { Contents, EncodingType } = await client.send(command, { abortSignal: signal });
  const [object] = Contents ?? [];
  if (object?.Key === undefined) return undefined;
  const fingerprint = fingerprintOf({ ...object, sizeBytes: object.Size });
  if (EncodingType !== 'url') return { key: object.Key, fingerprint };
  const { key, parents } = decodeKey(object.Key);
  // Of a key that is not UTF-8, the folders above it are known.
  return { key: key ?? `${parents.at(-1) ?? ''}/`, fingerprint };
}
