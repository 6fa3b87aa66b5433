import { isBucketPath } from '../../domain/bucket-path.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from '../../domain/media-root.ts';

/** A part of a bucket: all keys that begin with `prefix`, which is '' or ends with a slash. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  /** What its paths begin with, for a bucket that requests name: `s3://bucket/prefix/`. Absent for a media root. */
  readonly address?: string;
}

/** Maximum bytes (UTF-8) of a key, by the documentation of S3. */
const MAX_KEY_BYTES = 1024;

/** A media root of the S3 engine. A request names no key or bucket: a leading `/` means the root. */
class S3Root {
  readonly location: S3Location;
  readonly pathPrefix = '/';
  readonly grants: readonly BucketGrant[];
  readonly urls: UrlInputs | undefined;

  constructor(location: S3Location, grants: readonly BucketGrant[], urls: UrlInputs | undefined) {
    this.location = location;
    this.grants = grants;
    this.urls = urls;
  }
}

/**
 * Creates a media root in the storage of the service. `root`: the path of a client's folder in it, from the client's
 * record; undefined for the whole storage. Empty segments, `.` and `..` in it are left out, so that a folder of a disk
 * in an older record becomes a prefix and never the whole storage. `grants`: the other buckets that the client may use.
 * `urls`: the URLs that it may name as inputs.
 */
export function s3Root(
  storage: S3Location,
  root: string | undefined,
  grants: readonly BucketGrant[] = [],
  urls?: UrlInputs,
): MediaRoot {
  const segments = (root ?? '').split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const prefix = storage.prefix + segments.map((segment) => `${segment}/`).join('');
  return new S3Root({ bucket: storage.bucket, prefix }, grants, urls) as unknown as MediaRoot;
}

/** Returns the location of a media root. Throws if another engine created the root. */
export function rootLocation(root: MediaRoot): S3Location {
  if (root instanceof S3Root) return root.location;
  throw new Error('Not a media root of the S3 engine.');
}

/** The key of a file. A key is the prefix of the media root and the path, byte for byte. Throws for a path elsewhere. */
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
