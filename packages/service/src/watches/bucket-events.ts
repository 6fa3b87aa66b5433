import { isBucketPath, MAX_KEY_BYTES, splitBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { WatchScanRequest } from '@telecine/contract/wire/watch.ts';

/**
 * The paths to look at that events of a bucket name, below the folder of a watch. undefined: the events name no object, or the folder is the
 * media root: below it, keys have prefixes that only the storage knows.
 */
export function pathsOfEvents(folder: string, { Records, detail }: WatchScanRequest): readonly string[] | undefined {
  if (folder === '' || (Records === undefined && detail === undefined)) return undefined;
  const keys = [
    ...(Records ?? []).flatMap(({ s3 }) => decodedKey(s3.object.key) ?? []),
    // EventBridge does not encode keys.
    ...(detail === undefined ? [] : [detail.object.key]),
  ];
  // No object has a longer key, so it would only take memory.
  return keys.filter((key) => Buffer.byteLength(key) <= MAX_KEY_BYTES).flatMap((key) => hintedPaths(folder, key));
}

/** The key in an event record, which is encoded like a form. undefined: it is not. */
function decodedKey(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The paths of an object with this key, below a folder. The key also has the prefixes of the storage and of the client, so each place where the
 * folder can begin counts: a wrong hint costs one read.
 */
export function hintedPaths(folder: string, key: string): readonly string[] {
  if (isBucketPath(folder)) {
    const { bucket, key: prefix } = splitBucketPath(folder);
    return key.startsWith(prefix) ? [`s3://${bucket}/${key}`] : [];
  }
  const paths: string[] = [];
  for (let at = key.indexOf(folder); at >= 0 && paths.length < MOST_PLACES; at = key.indexOf(folder, at + 1))
    if (at === 0 || key[at - 1] === '/') paths.push(key.slice(at));
  return paths;
}

/** How many places of a folder in one key are read. */
const MOST_PLACES = 3;
