import type { S3Client } from '@aws-sdk/client-s3';
import { plainETag } from './errors.ts';
import { decodeKey, listPages } from './list-pages.ts';

interface FoundKeys {
  readonly objects: ReadonlyMap<string, { readonly sizeBytes: number; readonly etag: string }>;
  /** The requested keys that are folders: other keys begin with the key and a slash. */
  readonly folders: ReadonlySet<string>;
}

/** For fewer keys than this, one request for each key is cheaper than a list. */
const MIN_KEYS = 3;

/**
 * A list page of 1000 entries costs the server as much as some tens of requests for single objects. So at most one page
 * per this number of keys is read.
 */
const KEYS_PER_PAGE = 100;

/**
 * Finds out which keys exist, with lists of their common prefix. Returns undefined if the caller must request each key
 * instead: there are few keys, too many other keys have the prefix, or the server does not encode keys in lists. On S3,
 * Ceph and MinIO, a list contains every object that was stored before the request.
 */
export async function findKeys(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<FoundKeys | undefined> {
  if (keys.length < MIN_KEYS) return undefined;
  const wanted = new Set(keys);
  const objects = new Map<string, { readonly sizeBytes: number; readonly etag: string }>();
  const folders = new Set<string>();
  const prefix = commonStart(keys);
  let pages = Math.ceil(keys.length / KEYS_PER_PAGE);
  for await (const page of listPages(client, { Bucket: bucket, Prefix: prefix }, signal)) {
    // Without the encoding, a "+" or "%" in a key is ambiguous, so that an existing key could seem free.
    if (page.EncodingType !== 'url') return undefined;
    for (const { Key = '', Size = 0, ETag } of page.Contents ?? []) {
      const { key, parents } = decodeKey(Key);
      if (key !== undefined && wanted.has(key)) objects.set(key, { sizeBytes: Size, etag: plainETag(ETag) });
      for (const parent of parents) if (wanted.has(parent)) folders.add(parent);
    }
    if (page.IsTruncated !== true) return { objects, folders };
    pages -= 1;
    if (pages === 0) return undefined;
  }
  return undefined;
}

/** Returns the longest prefix that all texts have in common. */
export function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  // The prefix may end inside a surrogate pair. Then remove the first half of the pair, which has no UTF-8 form.
  const start = first.slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}
