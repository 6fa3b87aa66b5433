import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from '@telecine/contract/domain/media-root.ts';

/** A part of a bucket: all keys that begin with `prefix`, which is '' or ends with a slash. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  /** The start of its paths, for a bucket that requests name: `s3://bucket/prefix/`. Absent for a media root. */
  readonly address?: string;
}

/** Maximum bytes (UTF-8) of a key, by the documentation of S3. */
const MAX_KEY_BYTES = 1024;

/** The locations of the media roots of this engine. */
const locations = new WeakMap<MediaRoot, S3Location>();

/**
 * Creates a media root in the storage of the service. `root`: the client's folder in it, from the client's record; undefined
 * for the whole storage. Ignores empty segments, `.` and `..`: a record from a disk must not become the whole storage.
 */
export function s3Root(
  storage: S3Location,
  root: string | undefined,
  grants: readonly BucketGrant[] = [],
  urls?: UrlInputs,
): MediaRoot {
  const segments = (root ?? '').split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const prefix = storage.prefix + segments.map((segment) => `${segment}/`).join('');
  // A request names no host path: a leading `/` means the root.
  const mediaRoot = { pathPrefix: '/', grants, urls } as MediaRoot;
  locations.set(mediaRoot, { bucket: storage.bucket, prefix });
  return mediaRoot;
}

/** Returns the location of a media root. Throws if another engine created the root. */
export function rootLocation(root: MediaRoot): S3Location {
  const location = locations.get(root);
  if (location === undefined) throw new Error('Not a media root of the S3 engine.');
  return location;
}

/** The key of a file: the prefix of the location and the path, byte for byte. Throws for a path in another bucket. */
export function keyOf({ prefix, address = '' }: S3Location, path: MediaPath): string {
  if (!path.startsWith(address) || (address === '' && isBucketPath(path)))
    throw new Error(`The path ${path} is in another bucket.`);
  return prefix + path.slice(address.length);
}

/** Identifies an object among those of all buckets, whatever path names it. */
export const objectId = (bucket: string, key: string): string => `${bucket}/${key}`;

/** Whether S3 allows the key of a file. */
export const isKeyTooLong = (location: S3Location, path: MediaPath): boolean =>
  Buffer.byteLength(keyOf(location, path)) > MAX_KEY_BYTES;
