import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch, sortByCloseness } from '@telecine/contract/domain/closest-match.ts';
import { FILE_SEARCH, fileSearch, type MatchesSearch } from '@telecine/contract/domain/file-search.ts';
import { baseName, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { parsePrefix } from './file-path.ts';
import type { FileStore } from './ports.ts';

/** Files near a missing file. */
export interface NearFiles {
  /** The folder with the files. It ends with a slash, or is '' for the media root. */
  readonly folder: string;
  /** The paths of up to five files, the most similar first. */
  readonly paths: readonly string[];
  /** Those of `paths` whose names are similar to that of the missing file. */
  readonly similar: readonly string[];
  /** The text that is in the names of `paths`, which are then files in any folder. */
  readonly searched?: string;
  /** true: `paths` is a file in another folder, and the only one with the name of the missing file. */
  readonly isSameName?: true;
}

/** What of a store is needed to find near files. */
type SearchedStore = Pick<FileStore, 'list' | 'search'>;

/** The maximum number of entries of a folder that are read to find near files. */
const MAX_ENTRIES = 500;
const MAX_NAMES = 5;
/** The maximum length of a path, in characters. Longer paths are ignored. */
const MAX_LENGTH = 200;
const MAX_SEARCH_MS = 1000;
/** The maximum number of files of a search, of which the most similar ones are named. */
const MAX_FOUND = 50;

/**
 * Finds files near a missing file. Returns the first of these that exist:
 * - files in the folder of the missing file, if one has a similar name
 * - the only file with the same name in other folders
 * - for a name without a folder: files in all folders that have it in their names
 * - files in the folder of the missing file
 * - files in a sibling folder with a similar name
 * - files in the media root
 *
 * Undefined: there are no such files, or the path is not in the media root.
 */
export async function filesNear(store: SearchedStore, caller: Caller, path: string): Promise<NearFiles | undefined> {
  if (isUrl(path) || path.startsWith('s3://')) return undefined;
  const read = folderReader(store, caller);
  const folder = folderOf(path);
  const own = await read(folder);
  const similar = similarTo(path, own.files);
  if (similar.some((one) => isMisspelt(path, one))) return nearest(path, own.files);
  const name = nameOf(path);
  const stem = stemOf(path);
  const isSearched = !path.includes('/') && stem.length >= SHORTEST && similar.length === 0;
  const isNamed = fileSearch(`"${stem}"`);
  const { found, isWhole } = await searchFiles(
    store,
    caller,
    (one) => name !== '' && (nameOf(one) === name || (isSearched && isNamed(one))),
  );
  const [same, ...others] = found.filter((one) => nameOf(one) === name);
  if (isWhole && same !== undefined && others.length === 0)
    return { folder: folderOf(same), paths: [same], similar: similarTo(path, [same]), isSameName: true };
  if (isSearched && found.length > 0) {
    const paths = byCloseness(path, found).slice(0, MAX_NAMES);
    return { folder: '', paths, similar: similarTo(path, paths), searched: stem };
  }
  if (own.files.length > 0) return nearest(path, own.files);
  const [, parent = '', last = ''] = /^((?:.*\/)?)([^/]+)\/$/.exec(folder) ?? [];
  const near = closestMatch(`${parent}${last}/`, (await read(parent)).folders);
  const siblings = near === undefined || near === folder ? [] : (await read(near)).files;
  if (siblings.length > 0) return nearest(path, siblings);
  const root = await read('');
  return root.files.length > 0 ? nearest(path, root.files) : undefined;
}

/**
 * Returns the files that are most similar to `path`. Takes the folder from these files, because `path` can be a path of
 * a host.
 */
function nearest(path: string, found: readonly string[]): NearFiles {
  const paths = byCloseness(path, found).slice(0, MAX_NAMES);
  return { folder: folderOf(found[0] ?? ''), paths, similar: similarTo(path, paths) };
}

/** The files with the name of the missing one in theirs come first: `cam-3-final.mp4` for `cam-3.mp4`, before `cam-1.mp4`. */
function byCloseness(path: string, found: readonly string[]): readonly string[] {
  const { parts = [], others = [] } = Object.groupBy(sortByCloseness(path, found), (one) =>
    isPartOf(path, one) ? 'parts' : 'others',
  );
  return [...parts, ...others];
}

/** Those of some files whose names are similar. `e01.mp4` is another episode than `e03.mp4`, and not a misspelt one. */
const similarTo = (path: string, found: readonly string[]): readonly string[] =>
  found.filter(
    (one) =>
      haveSameNumbers(folderOf(path), folderOf(one)) &&
      haveSameNumbers(stemOf(path), stemOf(one)) &&
      (isPartOf(path, one) || isMisspelt(path, one)),
  );

const isMisspelt = (path: string, found: string): boolean => closestMatch(nameOf(path), [nameOf(found)]) !== undefined;

/** Whether one text has all numbers of the other: `cam-3` and `cam-03-final`, but not `cam-3` and `cam-30`. */
function haveSameNumbers(one: string, other: string): boolean {
  const [a = [], b = []] = [one, other].map((text) => text.match(/\d+/g)?.map(Number));
  return a.every((each) => b.includes(each)) || b.every((each) => a.includes(each));
}

/** Whether the name of one file, without its extension, is in that of the other. */
function isPartOf(path: string, other: string): boolean {
  const [stem, otherStem] = [path, other].map((one) => stemOf(one).toLowerCase());
  if (stem === undefined || otherStem === undefined || Math.min(stem.length, otherStem.length) < SHORTEST) return false;
  return stem.includes(otherStem) || otherStem.includes(stem);
}

/** The minimum length of a name without its extension that is looked for in other names. */
const SHORTEST = 3;

const nameOf = (path: string): string => baseName(path as MediaPath);

/** The name of a file without its extension. */
const stemOf = (path: string): string => nameOf(path).replace(/(?<=.)\.[^.]*$/, '');

/** Finds some files in all folders. `isWhole`: these are all. */
async function searchFiles(
  { search }: SearchedStore,
  { root }: Caller,
  matches: MatchesSearch,
): Promise<{ readonly found: readonly string[]; readonly isWhole: boolean }> {
  const query = { ...parsePrefix('', root), limit: MAX_FOUND, matches, maxNames: FILE_SEARCH.names };
  try {
    const { entries, nextAfter } = await search(root, query, AbortSignal.timeout(MAX_SEARCH_MS));
    const found = entries.flatMap(({ kind, path }) => (kind === 'file' && path.length <= MAX_LENGTH ? [path] : []));
    return { found, isWhole: nextAfter === undefined };
  } catch {
    // Too slow, or too many clients search. The files of the folder are named nevertheless.
    return { found: [], isWhole: false };
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

interface Folder {
  readonly files: readonly string[];
  /** The paths of folders. Each ends with a slash. */
  readonly folders: readonly string[];
}

type ReadFolder = (folder: string) => Promise<Folder>;

/** Returns a function that reads each folder only once. */
function folderReader(store: SearchedStore, caller: Caller): ReadFolder {
  const found = new Map<string, Promise<Folder>>();
  return (folder) => {
    const known = found.get(folder) ?? filesIn(store, caller, folder);
    found.set(folder, known);
    return known;
  };
}

async function filesIn({ list }: SearchedStore, { root }: Caller, text: string): Promise<Folder> {
  try {
    const { folder } = parsePrefix(text, root);
    const { entries } = await list(root, { folder, nameStart: '', limit: MAX_ENTRIES });
    const shown = entries.filter((one) => one.path.length <= MAX_LENGTH);
    const paths = (kind: 'file' | 'folder') => shown.flatMap((one) => (one.kind === kind ? [one.path] : []));
    return { files: paths('file'), folders: paths('folder') };
  } catch (error) {
    // The folder is not in the media root. Throw nothing, because the function that calls this one reports the missing file.
    if (error instanceof Problem) return { files: [], folders: [] };
    throw error;
  }
}

/** Returns a sentence that names the near files. */
export function namesOf(near: NearFiles): string {
  if (near.isSameName === true) return `The file of that name is ${JSON.stringify(near.paths[0])}.`;
  const names = near.paths.map((one) => JSON.stringify(one)).join(', ');
  if (near.searched !== undefined) return `Files with ${JSON.stringify(near.searched)} in their names: ${names}.`;
  return `Files in ${near.folder === '' ? 'the media root' : JSON.stringify(near.folder)}: ${names}.`;
}
