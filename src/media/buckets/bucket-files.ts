import { isBucketPath } from '../../domain/bucket-path.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { FileStore, OpenFile } from '../../files/ports.ts';
import { fileNotFound } from '../file-problems.ts';

/** Opens an object in a bucket that requests name. Resolves to undefined if the client may not use the bucket. */
export type OpenInBucket = (root: MediaRoot, path: MediaPath) => Promise<OpenFile | undefined>;

/**
 * Lets a file store open outputs in other buckets. All else stays in the media root. `openInBucket`: absent if there are
 * no other buckets.
 */
export const bucketFiles = (base: FileStore, openInBucket: OpenInBucket | undefined): FileStore => ({
  beginUpload: base.beginUpload,
  remove: base.remove,
  removeFolder: base.removeFolder,
  list: base.list,
  open: async (root, path) => {
    if (!isBucketPath(path)) return base.open(root, path);
    const file = await openInBucket?.(root, path);
    if (file === undefined) throw fileNotFound(path);
    return file;
  },
});
