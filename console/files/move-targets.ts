import { countText } from '../ui/format.ts';
import { folderOf, folderText, nameOf } from './file-list.ts';

/** A move of one entry. The paths of folders end with a slash. */
export interface EntryMove {
  readonly from: string;
  readonly to: string;
}

const withSlash = (path: string, like: string): string => (like.endsWith('/') ? `${path}/` : path);

/** The moves of entries to a folder, which is '' or ends with a slash. Leaves out entries that are there, and a folder into itself. */
export const movesInto = (paths: readonly string[], folder: string): readonly EntryMove[] =>
  paths
    .filter((path) => folderOf(path) !== folder && !folder.startsWith(path.endsWith('/') ? path : `${path}/`))
    .map((path) => ({ from: path, to: withSlash(`${folder}${nameOf(path)}`, path) }));

/** The move that gives an entry another name. undefined: the name is the same or empty. */
export function renamed(path: string, name: string): EntryMove | undefined {
  const wanted = name.trim();
  if (wanted === '' || wanted === nameOf(path)) return undefined;
  return { from: path, to: withSlash(`${folderOf(path)}${wanted}`, path) };
}

/** The part of a name to select when it is changed: the name without its extension. */
export function stemLength(path: string): number {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return path.endsWith('/') || dot <= 0 ? name.length : dot;
}

/**
 * Says where entries are after a move: `Moved 2 files to photos/2026/.` Leaves the folder out if they are in several. '': nothing was moved.
 *
 * @param paths The new paths.
 */
export function movedText(verb: string, paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const [folder = '', ...others] = new Set(paths.map(folderOf));
  return `${verb} ${entriesText(paths)}${others.length === 0 ? ` to ${folderText(folder)}` : ''}.`;
}

/** A text about some entries: the name of one, or a count. */
export function entriesText(paths: readonly string[]): string {
  const [only] = paths;
  if (only !== undefined && paths.length === 1) return nameOf(only);
  const folders = paths.filter((path) => path.endsWith('/')).length;
  const files = paths.length - folders;
  return [
    ...(files > 0 ? [countText(files, 'file')] : []),
    ...(folders > 0 ? [countText(folders, 'folder')] : []),
  ].join(' and ');
}
