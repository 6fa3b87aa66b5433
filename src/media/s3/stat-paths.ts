import type { MediaPath } from '../../domain/media-path.ts';
import type { PathStat, PathStats } from '../../jobs/ports/path-stats.ts';
import { type Bucket, type Buckets, headOf, isFolder } from './bucket.ts';
import { keyOf, objectId } from './location.ts';

/**
 * How long a submission waits for the object store. After that a path counts as missing, which a submission allows: the
 * job reports what is wrong.
 */
const TIMEOUT_MS = 2000;

/** Stats the paths of submissions, all at once. */
export const createPathStats =
  (buckets: Pick<Buckets, 'ofPath'>): PathStats['statPaths'] =>
  (root, paths) => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return Promise.all(
      paths.map(async (path) => {
        const bucket = buckets.ofPath(root, path, 'read');
        return bucket === undefined ? MISSING : statPath(bucket, path, signal).catch(() => MISSING);
      }),
    );
  };

const MISSING: PathStat = { kind: 'missing' };

async function statPath(bucket: Bucket, path: MediaPath, signal: AbortSignal): Promise<PathStat> {
  const [head, folder] = await Promise.all([headOf(bucket, path, signal), isFolder(bucket, path, signal)]);
  if (head !== undefined)
    return { kind: 'file', fileId: objectId(bucket.location.bucket, keyOf(bucket.location, path)) };
  return folder ? { kind: 'directory' } : MISSING;
}
