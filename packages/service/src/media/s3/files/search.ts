import { isMediaPath, type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { FileEntry, FilePage, SearchQuery } from '../../../files/ports.ts';
import type { Bucket } from '../bucket.ts';
import { decodeKey, LAST_CHARACTER, listPages, MAX_KEYS } from '../list-pages.ts';
import { factsOf } from '../object-facts.ts';
import { fileProblem } from '../s3-failures.ts';

/** The maximum number of lists of one page. A page usually needs as many for its names, but a store can send short or empty lists. */
const MAX_LISTS = 10;

/**
 * Searches a folder and the folders below it; see `FileStore.search`. One flat list has the keys of all folders, in order, so the last key
 * says where to go on.
 */
export async function searchObjects(
  { client, location: { bucket, prefix } }: Bucket,
  { folder, nameStart, after = '', limit, matches, maxNames }: SearchQuery,
  signal: AbortSignal,
): Promise<FilePage> {
  const base = `${prefix}${folder}`;
  const start = `${folder}${after}`;
  const entries: FileEntry[] = [];
  let names = 0;
  let lists = 0;
  const isOver = (): boolean => names >= maxNames || lists >= MAX_LISTS;
  /** The path of the last name, or the folder of a key that is not UTF-8. */
  let last = start;
  const found = (entry: FileEntry): void => {
    if (matches(entry.path)) entries.push(entry);
  };
  const page = (end: string): FilePage => ({
    entries: entries.slice(0, limit),
    nextAfter: end.slice(folder.length),
  });
  try {
    for (let from: string | undefined = after === '' ? undefined : start; ; ) {
      let reserved: string | undefined;
      const request = {
        ...{ Bucket: bucket, Prefix: `${base}${nameStart}`, MaxKeys: Math.min(MAX_KEYS, maxNames) },
        ...(from !== undefined && { StartAfter: `${prefix}${from}` }),
      };
      for await (const { Contents = [], IsTruncated } of listPages(client, request, signal)) {
        for (const object of Contents) {
          const read = readKey(object.Key ?? '', { prefix, folder, last });
          last = read.last;
          for (const path of read.folders) found({ kind: 'folder', path });
          const { file } = read;
          if (file !== undefined) found({ kind: 'file', ...factsOf(file, { ...object, sizeBytes: object.Size }) });
          if (entries.length > limit) return page(entries[limit - 1]?.path ?? last);
        }
        names += Contents.length;
        lists += 1;
        if (IsTruncated !== true) continue;
        reserved = reservedIn(last);
        if (reserved !== undefined) break;
        // A page without progress would be repeated for ever.
        if (isOver() && last !== start) return page(last);
      }
      if (reserved === undefined) return { entries };
      // Skip the rest of it: the bin can have any number of files.
      from = `${reserved}${LAST_CHARACTER}`;
      last = from;
      if (isOver()) return page(last);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileProblem('searching the folder', error);
  }
}

/**
 * The folders below `folder` of which this key is the first, and the path of its file. Both without those that no client can send. `last`: the
 * path at which the list is before and after this key.
 */
function readKey(
  encoded: string,
  { prefix, folder, last }: { readonly prefix: string; readonly folder: string; readonly last: string },
): { readonly folders: readonly string[]; readonly file: MediaPath | undefined; readonly last: string } {
  const { key, parents } = decodeKey(encoded);
  const folders = parents
    .map((parent) => `${parent}/`.slice(prefix.length))
    .filter((path) => path.length > folder.length && !last.startsWith(path));
  const path = key?.slice(prefix.length);
  return {
    folders: folders.filter((each) => isMediaPath(each.slice(0, -1))),
    file: path !== undefined && isMediaPath(path) ? path : undefined,
    last: path ?? folders.at(-1) ?? last,
  };
}

/** The outermost reserved folder of a path, with a slash at its end. */
function reservedIn(path: string): string | undefined {
  const names = path.split('/');
  const at = names.findIndex((name) => name.startsWith(RESERVED_PREFIX));
  return at < 0 || at === names.length - 1 ? undefined : `${names.slice(0, at + 1).join('/')}/`;
}
