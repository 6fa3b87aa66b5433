import {
  ListObjectsV2Command,
  type ListObjectsV2CommandInput,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The maximum number of keys that S3 returns in one list. */
export const MAX_KEYS = 1000;

/**
 * A folder name with this character at its end sorts after all keys of the folder: S3 sorts keys by their UTF-8 bytes,
 * and this is the last character.
 */
export const LAST_CHARACTER = '\u{10ffff}';

/** Yields the pages of a list, and requests each page only when it is needed. */
export async function* listPages(
  client: S3Client,
  request: ListObjectsV2CommandInput,
  signal?: AbortSignal,
): AsyncGenerator<ListObjectsV2CommandOutput> {
  for (let token: string | undefined, more = true; more; ) {
    // Ask for encoded keys: XML cannot contain every character of a key.
    const command = new ListObjectsV2Command({ ...request, EncodingType: 'url', ContinuationToken: token });
    const page: ListObjectsV2CommandOutput = await client.send(command, signal && { abortSignal: signal });
    yield page;
    token = page.NextContinuationToken;
    more = page.IsTruncated === true && token !== undefined;
  }
}

/** Decodes a key from a list of S3, and returns the folders above it too. `key`: undefined if the key is not UTF-8. */
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
