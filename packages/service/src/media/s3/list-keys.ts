import {
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { plainETag } from './errors.ts';

/** The keys that a list found. */
interface ListedKeys {
  /** The keys of objects. */
  readonly objects: ReadonlyMap<string, { readonly sizeBytes: number; readonly etag: string }>;
  /** The keys of folders: an object has a key below them. */
  readonly folders: ReadonlySet<string>;
}

/** From this number of keys on, one list is cheaper than a request for each. */
const MIN_KEYS = 3;

/** A page of 1000 entries takes the server as long as some tens of requests for one object. */
const KEYS_PER_PAGE = 100;

/**
 * Finds keys by listing their common prefix. Undefined if a request for each key is cheaper, because there are few keys or
 * many others with the prefix, or if the server does not encode keys in lists. S3, Ceph and MinIO list every object that was
 * stored before the request.
 */
export async function listKeys(
  client: S3Client,
  bucket: string,
  keys: readonly string[],
  signal?: AbortSignal,
): Promise<ListedKeys | undefined> {
  if (keys.length < MIN_KEYS) return undefined;
  const wanted = new Set(keys);
  const objects = new Map<string, { readonly sizeBytes: number; readonly etag: string }>();
  const folders = new Set<string>();
  const prefix = commonStart(keys);
  let pages = Math.ceil(keys.length / KEYS_PER_PAGE);
  for await (const page of listPages(client, { Bucket: bucket, Prefix: prefix }, signal)) {
    // Otherwise a "+" or a "%" in a key is ambiguous, and a key that exists could seem free.
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

/** The pages of a list, each requested when it is needed. */
export async function* listPages(
  client: S3Client,
  request: ListObjectsV2CommandInput,
  signal?: AbortSignal,
): AsyncGenerator<ListObjectsV2CommandOutput> {
  for (let token: string | undefined, more = true; more; ) {
    // XML cannot contain every character of a key.
    const command = new ListObjectsV2Command({ ...request, EncodingType: 'url', ContinuationToken: token });
    const page: ListObjectsV2CommandOutput = await client.send(command, signal && { abortSignal: signal });
    yield page;
    token = page.NextContinuationToken;
    more = page.IsTruncated === true && token !== undefined;
  }
}

/** The common prefix of all texts. */
export function commonStart([first = '', ...others]: readonly string[]): string {
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && first[same] === other[same]) same += 1;
    length = same;
  }
  // Half of a surrogate pair has no UTF-8 form.
  const start = first.slice(0, length);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

/** A key as a list of S3 encodes it, and the folders above it. `key`: undefined if it is not UTF-8. */
export function decodeKey(encoded: string): { readonly key: string | undefined; readonly parents: readonly string[] } {
  const segments = encoded.replaceAll('+', ' ').split(/\/|%2F/i);
  const parents: string[] = [];
  let key = '';
  try {
    for (const [index, segment] of segments.entries()) {
      if (index > 0) {
        parents.push(key);
        key += '/';
      }
      key += decodeURIComponent(segment);
    }
    return { key, parents };
  } catch {
    return { key: undefined, parents };
  }
}
