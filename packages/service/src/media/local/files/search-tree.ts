import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { isMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileEntry, FilePage, SearchQuery } from '../../../files/ports.ts';
import { diskProblem } from '../../file-problems.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { findFolder, firstDirents, hangsBelow, openFolder, readEntries, type WantedNames } from './list-folder.ts';
import { isLeftOut, type TreeFolder } from './list-tree.ts';

/** How many names of a folder are read at once if the folders above it use up `Search.room`. Each read goes through the whole folder. */
const LEAST_NAMES = 256;

/** A search, and how far it has come. */
interface Search {
  readonly boundary: RootBoundary;
  readonly matches: SearchQuery['matches'];
  /** The number of entries at which it stops. */
  readonly wanted: number;
  readonly signal: AbortSignal;
  readonly found: FileEntry[];
  /** How many names it may still look at. */
  names: number;
  /** How many names it may still have in memory. Each folder above the one that it looks at has some. */
  room: number;
  /** The path of the last name that it has looked at. */
  last: string;
}

/**
 * Searches a folder and the folders below it; see `FileStore.search`. A folder comes before what is in it, and names are in the order of
 * `listFolder`, so a path says where to go on. Has one folder open at a time.
 */
export async function searchTree(
  boundary: RootBoundary,
  { folder: path, nameStart, after = '', limit, matches, maxNames }: SearchQuery,
  signal: AbortSignal,
): Promise<FilePage> {
  try {
    const real = await findFolder(boundary, path);
    if (real === undefined) return { entries: [] };
    // One entry more than requested, to find out whether there is a next page.
    const search: Search = {
      ...{ boundary, matches, signal, wanted: limit + 1, names: maxNames, room: maxNames },
      ...{ found: [], last: `${path}${after}` },
    };
    const isWhole = await searchFolder(search, { real, path }, nameStart, after);
    const entries = search.found.slice(0, limit);
    if (isWhole) return { entries };
    const last = search.found.length > limit ? entries.at(-1)?.path : search.last;
    return { entries, nextAfter: (last ?? '').slice(path.length) };
  } catch (error) {
    signal.throwIfAborted();
    throw diskProblem(path, 'searching the folder', error);
  }
}

/** Searches a folder after the path `after` in it. Resolves to false if the search stops before its end. */
async function searchFolder(search: Search, folder: TreeFolder, nameStart: string, after: string): Promise<boolean> {
  const [first = '', ...below] = after.split('/');
  // The last page ended in a folder of this one.
  if (below.length > 0 && first.startsWith(nameStart) && !(await searchBelow(search, folder, first, below.join('/'))))
    return false;
  for (let last: string | undefined = first; last !== undefined; ) {
    search.signal.throwIfAborted();
    // One name more than the search may look at, to find out whether the folder is searched to its end.
    const count = Math.max(LEAST_NAMES, Math.min(search.names + 1, search.room));
    const dirents = await direntsOf(search, folder, { nameStart, after: last, count });
    search.room -= dirents.length;
    try {
      if (!(await searchNames(search, folder, dirents))) return false;
    } finally {
      search.room += dirents.length;
    }
    last = dirents.length < count ? undefined : dirents.at(-1)?.name;
  }
  return true;
}

/** Searches entries of a folder and what is below them. Resolves to false if the search stops before their end. */
async function searchNames(search: Search, folder: TreeFolder, dirents: readonly Dirent[]): Promise<boolean> {
  let matching: string[] = [];
  const read = async (): Promise<void> => {
    const names = matching;
    matching = [];
    if (names.length > 0) search.found.push(...(await readFolder(search, folder, names)));
  };
  for (const dirent of dirents) {
    const { name } = dirent;
    if (search.names === 0) {
      await read();
      return false;
    }
    search.names -= 1;
    search.last = `${folder.path}${name}`;
    if (search.matches(search.last)) matching.push(name);
    const isFolder = dirent.isDirectory();
    if (isFolder || search.found.length + matching.length >= search.wanted) await read();
    if (search.found.length >= search.wanted) return false;
    if (!isFolder) continue;
    search.last += '/';
    if (!(await searchBelow(search, folder, name, ''))) return false;
  }
  await read();
  return true;
}

/** Searches the folder `name` in a folder. Leaves out what a list of files leaves out, what is not a folder any more, and disks that hang. */
async function searchBelow(search: Search, parent: TreeFolder, name: string, after: string): Promise<boolean> {
  const path = `${parent.path}${name}`;
  const folder = { real: join(parent.real, name), path: `${path}/` };
  if (!isMediaPath(path) || !isInside(search.boundary, folder.real)) return true;
  return searchFolder(search, folder, '', after).catch((error: unknown) => {
    if (isLeftOut(error) || hangsBelow(search.boundary.disks, parent.real, error)) return true;
    throw error;
  });
}

async function direntsOf({ boundary, signal }: Search, { real }: TreeFolder, wanted: WantedNames) {
  await using folder = await openFolder(boundary, real);
  // Wait here: when this function ends, the folder is closed.
  return await firstDirents(folder.pathOf('.'), { ...wanted, signal });
}

async function readFolder({ boundary }: Search, { real, path }: TreeFolder, names: readonly string[]) {
  await using folder = await openFolder(boundary, real);
  return await readEntries(boundary, folder, names, path);
}
