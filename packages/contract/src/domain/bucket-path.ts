import { foreignPath } from './foreign-path.ts';
import { type MediaPath, type PathError, parseMediaPath, pathError } from './media-path.ts';
import type { BucketGrant, PathScope } from './media-root.ts';

/** The start of a path to an object in a bucket outside the storage of the service: `s3://bucket/key`. */
const SCHEME = 's3://';

/** S3 allows lower case, digits, dots and dashes in names of buckets. Other servers also allow upper case and underscores. */
const ADDRESS = /^s3:\/\/([A-Za-z0-9][A-Za-z0-9._-]{1,62})(?:\/(.*))?$/s;

/** The maximum length of a key in bytes (UTF-8), from the documentation of S3. */
export const MAX_KEY_BYTES = 1024;

/** Whether a path names an object in a bucket. The path of a file in a media root cannot contain `://`, so the start is enough. */
export const isBucketPath = (path: string): boolean => path.startsWith(SCHEME);

/** Splits a path for which `isBucketPath` is true. */
export function splitBucketPath(path: string): { readonly bucket: string; readonly key: string } {
  const [, bucket, key] = ADDRESS.exec(path) ?? [];
  if (bucket === undefined || key === undefined) throw new Error(`${path} is not a path of the form s3://bucket/key.`);
  return { bucket, key };
}

/** The entry of the bucket with the longest prefix that the key begins with. Prefixes end with a slash, so only whole segments match. */
export function findByKey<T extends Pick<BucketGrant, 'bucket' | 'prefix'>>(
  entries: readonly T[],
  bucket: string,
  key: string,
): T | undefined {
  let found: T | undefined;
  for (const entry of entries)
    if (entry.bucket === bucket && key.startsWith(entry.prefix) && entry.prefix.length >= (found?.prefix.length ?? 0))
      found = entry;
  return found;
}

/** Whether a client may read or write the object at a path. `isBucketPath` must be true for the path. */
export function isGranted(grants: readonly BucketGrant[], path: string, use: 'read' | 'write'): boolean {
  const { bucket, key } = splitBucketPath(path);
  const grant = findByKey(grants, bucket, key);
  return grant !== undefined && isUsable(grant, use);
}

/** Reads a path in a request. It names a file in the media root, or an object in a bucket that the client may use. */
export function parseRequestPath(text: string, scope: PathScope, use: 'read' | 'write'): MediaPath | PathError {
  // Only a text with ":" or "~" can be a URL, a path in a bucket, a Windows path (`C:\a.mp4`) or a path in a home folder (`~/a.mp4`).
  if (!text.includes(':') && !text.startsWith('~')) return parseMediaPath(text, scope.pathPrefix);
  if (!isBucketPath(text)) return foreignPath(text) ?? parseMediaPath(text, scope.pathPrefix);
  const path = parseBucketPath(text);
  return typeof path !== 'string' || isGranted(scope.grants, path, use) ? path : notGranted(path, scope.grants, use);
}

/** Parses a path that the service has stored with a job. Grants may have changed since then; the engine that opens the file checks them. */
export const parseStoredPath = (text: string): MediaPath | PathError =>
  isBucketPath(text) ? parseBucketPath(text) : parseMediaPath(text, '/');

/** Reads `s3://bucket/key`. A key is checked like a path in a media root. */
function parseBucketPath(text: string): MediaPath | PathError {
  const [, bucket, key = ''] = ADDRESS.exec(text) ?? [];
  if (bucket === undefined)
    return pathError('STORAGE_NOT_ALLOWED', 'The path must be "s3://BUCKET/KEY", with a valid bucket name.');
  if (key === '') return pathError('IS_DIRECTORY', 'The path names a bucket, not a file.');
  const path = parseMediaPath(key, '/');
  if (typeof path === 'string') return `${SCHEME}${bucket}/${path}` as MediaPath;
  return path.code === 'OUTSIDE_ROOT' ? pathError(path.code, 'The path leaves the bucket through "..".') : path;
}

/** The error for a bucket without a grant. A missing bucket has the same error, so that clients cannot find out which buckets exist. */
function notGranted(path: string, grants: readonly BucketGrant[], use: 'read' | 'write'): PathError {
  const { bucket } = splitBucketPath(path);
  const usable = grants.filter((grant) => grant.bucket === bucket && isUsable(grant, use));
  const forWriting = use === 'write' ? ' for writing' : '';
  const code = 'STORAGE_NOT_ALLOWED';
  if (usable.length > 0)
    return pathError(
      code,
      `This part of the bucket "${bucket}" is not allowed${forWriting} for this client, only paths below ${usable.map(({ prefix }) => `"${SCHEME}${bucket}/${prefix}"`).join(' or ')}.`,
    );
  const wanted = use === 'write' ? ` with "access": "readWrite"` : '';
  return pathError(
    code,
    `Bucket "${bucket}" is not allowed${forWriting} for this client.`,
    `Use a path in your media root, or ask the operator to add "${SCHEME}${bucket}" to TELECINE_STORAGE_BUCKETS${wanted}.`,
  );
}

const isUsable = ({ access }: BucketGrant, use: 'read' | 'write'): boolean =>
  access === 'readWrite' || (access === 'read' && use === 'read');
