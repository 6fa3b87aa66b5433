import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch, sortByCloseness } from '@telecine/contract/domain/closest-match.ts';
import { FILE_SEARCH, fileSearch } from '@telecine/contract/domain/file-search.ts';
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

/** The maximum number of entries of a folder that are read to find near files. */
const MAX_ENTRIES = 500;
const MAX_NAMES = 5;
/** The maximum length of a path, in characters. Longer paths are ignored. */
const MAX_LENGTH = 200;
/** The maximum number of folders that are searched for a file with the same name. */
const MAX_FOLDERS = 20;
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
export async function filesNear(store: FileStore, caller: Caller, path: string): Promise<NearFiles | undefined> {
  if (isUrl(path) || path.startsWith('s3://')) return undefined;
  const read = folderReader(store, caller);
  const folder = folderOf(path);
  const own = await read(folder);
  const name = baseName(path as MediaPath);
  const names = own.files.map((file) => baseName(file as MediaPath));
  if (closestMatch(name, names) !== undefined) return nearest(path, own.files);
  const [same, ...others] = (await filesNamed(read, name)) ?? [];
  if (same !== undefined && others.length === 0)
    return { folder: folderOf(same), paths: [same], similar: [same], isSameName: true };
  const searched = stemOf(name);
  const isSearched = !path.includes('/') && searched.length >= SHORTEST && !names.some((one) => isPartOf(name, one));
  const named = isSearched ? await searchFiles(store, caller, searched) : [];
  if (named.length > 0) {
    const paths = byCloseness(path, named).slice(0, MAX_NAMES);
    return { folder: '', paths, similar: paths, searched };
  }
  if (own.files.length > 0) return nearest(path, own.files);
  const [, parent = '', last = ''] = /^((?:.*\/)?)([^/]+)\/$/.exec(folder) ?? [];
  const near = closestMatch(`${parent}${last}/`, (await read(parent)).folders);
  const found = near === undefined || near === folder ? [] : (await read(near)).files;
  if (found.length > 0) return nearest(path, found);
  const root = await read('');
  return root.files.length > 0 ? nearest(path, root.files) : undefined;
}

/** Finds all files with this name in the media root. undefined: the media root is too large for the search. */
async function filesNamed(read: ReadFolder, name: string): Promise<readonly string[] | undefined> {
  if (name === '') return [];
  const signal = AbortSignal.timeout(MAX_SEARCH_MS);
  const found: string[] = [];
  const folders = [''];
  for (const [at, folder] of folders.entries()) {
    if (at >= MAX_FOLDERS || signal.aborted) return undefined;
    const { files, folders: inside, isWhole } = await read(folder);
    if (!isWhole) return undefined;
    found.push(...files.filter((file) => baseName(file as MediaPath) === name));
    folders.push(...inside);
  }
  return found;
}

/**
 * Returns the files that are most similar to `path`. Takes the folder from these files, because `path` can be a path of
 * a host.
 */
function nearest(path: string, found: readonly string[]): NearFiles {
  const paths = byCloseness(path, found).slice(0, MAX_NAMES);
  return { folder: folderOf(found[0] ?? ''), paths, similar: paths.filter((one) => isSimilar(path, one)) };
}

/** The files with the name of the missing one in theirs come first: `cam-3-final.mp4` for `cam-3.mp4`, before `cam-1.mp4`. */
function byCloseness(path: string, found: readonly string[]): readonly string[] {
  const { parts = [], others = [] } = Object.groupBy(sortByCloseness(path, found), (one) =>
    isPartOf(path, one) ? 'parts' : 'others',
  );
  return [...parts, ...others];
}

const isSimilar = (path: string, found: string): boolean =>
  isPartOf(path, found) || closestMatch(nameOf(path), [nameOf(found)]) !== undefined;

/** Whether the name of one file, without its extension, is in that of the other. */
function isPartOf(path: string, other: string): boolean {
  const [stem, otherStem] = [path, other].map((one) => stemOf(nameOf(one)).toLowerCase());
  if (stem === undefined || otherStem === undefined || Math.min(stem.length, otherStem.length) < SHORTEST) return false;
  return stem.includes(otherStem) || otherStem.includes(stem);
}

/** The minimum length of a name without its extension that is looked for in other names. */
const SHORTEST = 3;

const nameOf = (path: string): string => baseName(path as MediaPath);

const stemOf = (name: string): string => name.replace(/(?<=.)\.[^.]*$/, '');

/** Finds some files with a text in their names, in all folders. */
async function searchFiles({ search }: FileStore, { root }: Caller, text: string): Promise<readonly string[]> {
  const { folder, nameStart } = parsePrefix('', root);
  const query = {
    folder,
    nameStart,
    limit: MAX_FOUND,
    matches: fileSearch(`"${text}"`),
    maxNames: FILE_SEARCH.names,
  };
  const { entries } = await search(root, query, AbortSignal.timeout(MAX_SEARCH_MS));
  return entries.flatMap(({ kind, path }) => (kind === 'file' && path.length <= MAX_LENGTH ? [path] : []));
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

interface Folder {
  readonly files: readonly string[];
  /** The paths of folders. Each ends with a slash. */
  readonly folders: readonly string[];
  /** true: these are all entries of the folder. */
  readonly isWhole: boolean;
}

type ReadFolder = (folder: string) => Promise<Folder>;

/** Returns a function that reads each folder only once. */
function folderReader(store: FileStore, caller: Caller): ReadFolder {
  const found = new Map<string, Promise<Folder>>();
  return (folder) => {
    const known = found.get(folder) ?? filesIn(store, caller, folder);
    found.set(folder, known);
    return known;
  };
}

async function filesIn({ list }: FileStore, { root }: Caller, text: string): Promise<Folder> {
  try {
    const { folder } = parsePrefix(text, root);
    const { entries, more } = await list(root, { folder, nameStart: '', limit: MAX_ENTRIES });
    const shown = entries.filter((one) => one.path.length <= MAX_LENGTH);
    const paths = (kind: 'file' | 'folder') => shown.flatMap((one) => (one.kind === kind ? [one.path] : []));
    return { files: paths('file'), folders: paths('folder'), isWhole: !more && shown.length === entries.length };
  } catch (error) {
    // The folder is not in the media root. Throw nothing, because the function that calls this one reports the missing file.
    if (error instanceof Problem) return { files: [], folders: [], isWhole: true };
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
