import { isBucketPath, MAX_KEY_BYTES } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from '@telecine/contract/domain/media-root.ts';

/** A part of a bucket: all keys that begin with `prefix`. `prefix` is '' or ends with a slash. */
export interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  /** The address by which requests name this part of the bucket: `s3://bucket/prefix/`. undefined for a media root. */
  readonly address?: string;
}

/** The location of each media root that this engine created. */
const locations = new WeakMap<MediaRoot, S3Location>();

/**
 * Creates a media root in the storage of the service. `root`: the folder of the client, from its record. undefined: the
 * whole storage. Empty segments, `.` and `..` are left out.
 */
export function s3Root(
  storage: S3Location,
  root: string | undefined,
  grants: readonly BucketGrant[] = [],
  urls?: UrlInputs,
): MediaRoot {
  const segments = (root ?? '').split('/').filter((segment) => !['', '.', '..'].includes(segment));
  const prefix = storage.prefix + segments.map((segment) => `${segment}/`).join('');
  // A request cannot name a path of the host here, so a leading `/` means the media root.
  const mediaRoot = { pathPrefix: '/', grants, urls } as MediaRoot;
  locations.set(mediaRoot, { bucket: storage.bucket, prefix });
  return mediaRoot;
}

/** Returns the location of a media root. Throws if another engine created the media root. */
export function rootLocation(root: MediaRoot): S3Location {
  const location = locations.get(root);
  if (location === undefined) throw new Error('Not a media root of the S3 engine.');
  return location;
}

/**
 * Returns the key of a file: the prefix of the location, followed by the path byte for byte. Throws for a path in
 * another bucket.
 */
export function keyOf({ prefix, address = '' }: S3Location, path: MediaPath): string {
  if (!path.startsWith(address) || (address === '' && isBucketPath(path)))
    throw new Error(`The path ${path} is in another bucket.`);
  return prefix + path.slice(address.length);
}

/** Returns a text that identifies an object in any bucket, whichever path a request used for it. */
export const objectId = (bucket: string, key: string): string => `${bucket}/${key}`;

/** Returns whether the key of a file is longer than S3 allows. */
export const isKeyTooLong = (location: S3Location, path: MediaPath): boolean =>
  Buffer.byteLength(keyOf(location, path)) > MAX_KEY_BYTES;
