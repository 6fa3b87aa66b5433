import { folderOf } from '../files/file-list.ts';
import { hasExtension, isEndOf } from './similar-files.ts';

export const isFolder = (path: string): boolean => path.endsWith('/');

/** `a/` for `a/b/`, and '' for `a/`. */
export const folderAbove = (folder: string): string => folderOf(folder);

/** A name with a counter, such as `img%03d.png`, which stands for many files. */
const COUNTER = /%0?\d*d/;

/**
 * The stored file, or the folder, that a text means. undefined: none, or one of several.
 *
 * @param paths What was found for the text.
 */
export function meantPath(text: string, paths: readonly string[]): string | undefined {
  if (text === '') return undefined;
  if (paths.includes(text) || COUNTER.test(text)) return text;
  if (isFolder(text)) return text;
  // A whole name that is a part of another one is not that file: `in.mp4` of `main.mp4`.
  const matching = hasExtension(text) ? paths.filter((path) => isEndOf(text, path)) : paths;
  return matching.length === 1 ? matching[0] : undefined;
}
