import type { FileList } from '@telecine/client';
import { countText, formatBytes } from '../ui/format.ts';
import type { FileSearch } from './file-search.ts';

export type FileEntry = FileList['files'][number];

/** The last part of a path: `in.mov` for `movies/in.mov`, `old` for `movies/old/`. */
export function nameOf(path: string): string {
  const trimmed = path.replace(/\/$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

/** The extension of a path without its dot. Shown if the file has no image. '' for a name without one. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
}

/** The folder of a path: `movies/` for `movies/in.mov`, '' for a path in the media root. */
export const folderOf = (path: string): string => path.slice(0, path.replace(/\/$/, '').lastIndexOf('/') + 1);

/** A folder in a sentence: `photos/2026/`, and `your media` for ''. */
export const folderText = (folder: string): string => (folder === '' ? 'your media' : folder);

/** A folder and its parents, beginning with the media root: '', `a/` and `a/b/` for `a/b/`. */
export function parentsOf(folder: string): readonly string[] {
  const names = folder.split('/').filter(Boolean);
  return ['', ...names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`)];
}

const NAMES = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const byName = (a: FileEntry, b: FileEntry): number => NAMES.compare(a.path, b.path);

const ORDERS: Readonly<Record<NonNullable<FileSearch['sort']>, (a: FileEntry, b: FileEntry) => number>> = {
  name: byName,
  size: (a, b) => (b.sizeBytes ?? 0) - (a.sizeBytes ?? 0) || byName(a, b),
  modified: (a, b) => Date.parse(b.modifiedAt ?? '') - Date.parse(a.modifiedAt ?? '') || byName(a, b),
};

/** The entries whose names contain `q`, folders first, in the chosen order. Folders have no time of a change, so they are then in the order of their names. */
export function arrangeFiles(
  entries: readonly FileEntry[],
  { q = '', sort = 'name' }: Pick<FileSearch, 'q' | 'sort'>,
): readonly FileEntry[] {
  const text = q.toLocaleLowerCase();
  const found = entries.filter(({ path }) => nameOf(path).toLocaleLowerCase().includes(text));
  const folders = found.filter(({ type }) => type === 'folder').sort(sort === 'size' ? ORDERS.size : byName);
  return [...folders, ...found.filter(({ type }) => type === 'file').sort(ORDERS[sort])];
}

/** What a list has: `2 folders, 3 files, 1.9 MB`. */
export function listText(entries: readonly FileEntry[]): string {
  const files = entries.filter(({ type }) => type === 'file');
  const folders = entries.length - files.length;
  const bytes = files.reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0);
  return [
    folders > 0 && countText(folders, 'folder'),
    files.length > 0 && countText(files.length, 'file'),
    files.length > 0 && formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(', ');
}
