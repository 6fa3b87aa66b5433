import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch, sortByCloseness } from '@telecine/contract/domain/closest-match.ts';
import { baseName, folderOf, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { parsePrefix } from './file-path.ts';
import type { FileStore } from './ports.ts';

/** Files in the folder of a missing file. */
export interface NearFiles {
  /** The folder. It ends with a slash, or is '' for the media root. */
  readonly folder: string;
  /** The paths of up to five files, the most similar first. */
  readonly paths: readonly string[];
  /** Those of `paths` whose names are similar to that of the missing file. */
  readonly similar: readonly string[];
  /** The only similar file, if its name is a misspelling of the missing one. */
  readonly nearest?: string;
}

/** The maximum number of entries of a folder that are read to find near files. */
const MAX_ENTRIES = 500;
const MAX_NAMES = 5;
/** The maximum length of a path, in characters. Longer paths are ignored. */
const MAX_LENGTH = 200;

/** Finds files in the folder of a missing file. undefined: there are none, or the path is not in the media root. */
export async function filesNear(
  { list }: Pick<FileStore, 'list'>,
  { root }: Caller,
  path: string,
): Promise<NearFiles | undefined> {
  if (isUrl(path) || path.startsWith('s3://')) return undefined;
  try {
    const { folder } = parsePrefix(folderOf(path), root);
    const { entries } = await list(root, { folder, nameStart: '', limit: MAX_ENTRIES });
    const found = entries.flatMap((one) => (one.kind === 'file' && one.path.length <= MAX_LENGTH ? [one.path] : []));
    if (found.length === 0) return undefined;
    const paths = byCloseness(path, found).slice(0, MAX_NAMES);
    const similar = similarTo(path, paths);
    const [first, ...others] = similar;
    const isNearest = first !== undefined && others.length === 0 && isMisspelt(path, first);
    return { folder, paths, similar, ...(isNearest && { nearest: first }) };
  } catch (error) {
    // The folder is not in the media root. Throw nothing, because the function that calls this one reports the missing file.
    if (error instanceof Problem) return undefined;
    throw error;
  }
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

/** Returns a sentence that names the near files. */
export const namesOf = ({ folder, paths }: NearFiles): string =>
  `Files in ${folder === '' ? 'the media root' : JSON.stringify(folder)}: ${paths.map((one) => JSON.stringify(one)).join(', ')}.`;
