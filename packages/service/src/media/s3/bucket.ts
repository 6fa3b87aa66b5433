import {
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { findByKey, isBucketPath, isGranted, splitBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import { isMediaPath, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { otherStorage } from '../publish-intents.ts';
import { ifFound, plainETag } from './errors.ts';
import { listPages } from './list-pages.ts';
import { isKeyTooLong, keyOf, rootLocation, type S3Location } from './location.ts';

/** A bucket or a part of one, with the S3 client for it. */
export interface Bucket {
  readonly client: S3Client;
  readonly location: S3Location;
}

/** Reads the head (the metadata) of the object at a path. undefined: there is none. */
export async function headOf(
  { client, location }: Bucket,
  path: MediaPath,
  signal?: AbortSignal,
): Promise<HeadObjectCommandOutput | undefined> {
  if (isKeyTooLong(location, path)) return undefined;
  const command = new HeadObjectCommand({ Bucket: location.bucket, Key: keyOf(location, path) });
  return ifFound(client.send(command, signal && { abortSignal: signal }));
}

/** What is needed to copy an object. */
export interface FoundObject {
  readonly path: MediaPath;
  readonly sizeBytes: number;
  /** The ETag without quotes. */
  readonly etag: string;
}

/** An object in a list. `name`: the part of its path after the last slash. */
export type ListedObject = Omit<FoundObject, 'path'> & { readonly name: string };

/** Finds the object at a path. undefined: there is none. */
export async function findObject(
  bucket: Bucket,
  path: MediaPath,
  signal?: AbortSignal,
): Promise<FoundObject | undefined> {
  const head = await headOf(bucket, path, signal);
  return head && { path, sizeBytes: head.ContentLength ?? 0, etag: plainETag(head.ETag) };
}

/** Returns whether a path is a folder: whether a key begins with the path and a slash. */
export async function isFolder({ client, location }: Bucket, path: MediaPath, signal?: AbortSignal): Promise<boolean> {
  const prefix = `${keyOf(location, path)}/`;
  const command = new ListObjectsV2Command({ Bucket: location.bucket, Prefix: prefix, MaxKeys: 1 });
  const { KeyCount = 0 } = await client.send(command, signal && { abortSignal: signal });
  return KeyCount > 0;
}

/** Returns the folders above a path, the outermost first. */
export function parentsOf({ address = '' }: S3Location, path: MediaPath): readonly MediaPath[] {
  const segments = path.slice(address.length).split('/');
  return segments.slice(1).map((_, i) => `${address}${segments.slice(0, i + 1).join('/')}` as MediaPath);
}

/**
 * Lists the objects and folders in `folder` whose names begin with `nameStart`. `folder` is '' or ends with a slash.
 * Leaves out names that no client can send.
 */
export async function* listNames(
  { client, location }: Bucket,
  folder: string,
  nameStart: string,
  signal?: AbortSignal,
): AsyncGenerator<ListedObject | { readonly folderName: string }> {
  const base = keyOf(location, folder as MediaPath);
  const request = { Bucket: location.bucket, Prefix: base + nameStart, Delimiter: '/' };
  for await (const { Contents = [], CommonPrefixes = [] } of listPages(client, request, signal)) {
    for (const { Key, Size = 0, ETag } of Contents) {
      const name = pathBelow(base, Key);
      if (name !== undefined) yield { name, sizeBytes: Size, etag: plainETag(ETag) };
    }
    for (const { Prefix } of CommonPrefixes) {
      const folderName = folderBelow(base, Prefix);
      if (folderName !== undefined) yield { folderName };
    }
  }
}

/**
 * Converts a key from a list of S3 to a path below `base`. S3 encodes keys in lists, for example a space as "+".
 * undefined: the key is not UTF-8, or no client can send it as a path.
 */
export function pathBelow(base: string, encodedKey: string | undefined): MediaPath | undefined {
  try {
    const path = decodeURIComponent((encodedKey ?? '').replaceAll('+', ' ')).slice(base.length);
    return isMediaPath(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Converts a folder from a list of S3, where it ends with a slash, to a path below `base`. */
export const folderBelow = (base: string, encodedPrefix: string | undefined): MediaPath | undefined =>
  pathBelow(base, encodedPrefix?.replace(/(?:\/|%2F)$/i, ''));

/** A bucket that requests can name by its address (`s3://…`). */
export interface NamedBucket extends Bucket {
  readonly location: Required<S3Location>;
  readonly access: 'read' | 'readWrite';
}

export type Buckets = ReturnType<typeof namedBuckets>;

/**
 * Creates the functions that find the buckets of a service. `storage`: the bucket with the media roots. undefined: the
 * media roots are on a disk.
 */
export function namedBuckets(named: readonly NamedBucket[], storage?: Bucket) {
  const entries = named.map((entry) => ({ ...entry, ...entry.location }));
  const writable = entries.filter(({ access }) => access === 'readWrite');
  return {
    /** Returns the bucket of a path of a client. undefined: the client may not use it. */
    ofPath: (root: MediaRoot, path: MediaPath, use: 'read' | 'write'): Bucket | undefined => {
      if (!isBucketPath(path)) return storage && { client: storage.client, location: rootLocation(root) };
      if (!isGranted(root.grants, path, use)) return undefined;
      const { bucket, key } = splitBucketPath(path);
      return findByKey(entries, bucket, key);
    },
    /**
     * Returns the bucket of a publish list. undefined: the service may no longer write to it. Throws STORAGE_FAULT if
     * the list is for a bucket that was the storage of the service earlier.
     */
    ofList: ({ bucket, address }: { readonly bucket: string; readonly address?: string }): Bucket | undefined => {
      if (address === undefined) {
        if (storage?.location.bucket === bucket) return storage;
        throw otherStorage(`publish intent of the bucket "${bucket}"`);
      }
      return writable.find(({ location }) => location.address === address);
    },
    /**
     * Returns the S3 client for an object of an earlier attempt. undefined: the service may no longer write to its
     * bucket.
     */
    clientOf: (bucket: string, key: string): S3Client | undefined =>
      findByKey(writable, bucket, key)?.client ?? (storage?.location.bucket === bucket ? storage.client : undefined),
  };
}
