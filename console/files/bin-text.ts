import type { Bin } from '@telecine/client';
import { nameOf } from './file-list.ts';
import { entriesText } from './move-targets.ts';

type Entry = Pick<Bin['entries'][number], 'path' | 'sizeBytes'>;

/** Whether a bin of `sizeBytes` has more than these entries, because the list has only the newest. */
const isCut = (entries: readonly Entry[], sizeBytes: number): boolean =>
  entries.reduce((sum, entry) => sum + entry.sizeBytes, 0) < sizeBytes;

/** What is in a bin of `sizeBytes`: `2 files and 1 folder`. */
export function binText(entries: readonly Entry[], sizeBytes: number): string {
  const text = entriesText(entries.map(({ path }) => path));
  return isCut(entries, sizeBytes) ? `${text} and more` : text;
}

/** The name of an entry in its folder. Names of folders end with a slash. */
export const entryName = (path: string): string => (path.endsWith('/') ? `${nameOf(path)}/` : nameOf(path));

/** The maximum number of names in a question. */
const NAMED = 3;

const LIST = new Intl.ListFormat('en-GB');

/** The names of the first entries of a bin of `sizeBytes`: `a.mp4, old/, b.mp4 and 3 more`. */
export function namesText(entries: readonly Entry[], sizeBytes: number): string {
  const names = entries.slice(0, NAMED).map(({ path }) => entryName(path));
  const others = entries.length - names.length;
  if (isCut(entries, sizeBytes)) return LIST.format([...names, 'others']);
  return LIST.format(others === 0 ? names : [...names, `${others.toLocaleString()} more`]);
}
