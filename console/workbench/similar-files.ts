import { fileSearchWords } from '../../packages/contract/src/domain/file-search.ts';
import { comparable } from '../../packages/contract/src/domain/job-search.ts';
import { arrangeFiles, type FileEntry, nameOf } from '../files/file-list.ts';

/** Found files and folders, the best first: folders, and those whose names begin with the last word of the search. */
export function bestFirst(found: readonly FileEntry[], q: string): readonly FileEntry[] {
  const last = fileSearchWords(q).at(-1) ?? '';
  const { begun = [], others = [] } = Object.groupBy(arrangeFiles(found, {}), ({ path }) =>
    comparable(nameOf(path)).startsWith(last) ? 'begun' : 'others',
  );
  return [...begun, ...others];
}

/** Whether a text is a name, or the end of a path, as a whole: `marathon.mp4` of `films/marathon.mp4`. */
export const isEndOf = (text: string, path: string): boolean => `/${comparable(path)}`.endsWith(`/${comparable(text)}`);

/**
 * The files that a path without a file probably means: those whose names contain its name, with or without its extension, or begin like it.
 * `entries`: of the folder of the path.
 */
export function similarFiles(entries: readonly FileEntry[], path: string, most: number): readonly string[] {
  const files = entries.filter((entry) => entry.type === 'file' && entry.path !== path);
  const name = lastPart(path);
  const words = [name, withoutExtension(name)].filter((word) => word.length >= SHORTEST);
  const found = words.flatMap((q) => arrangeFiles(files, { q }));
  const longer = files.filter((file) => {
    const stem = comparable(withoutExtension(nameOf(file.path)));
    return stem.length >= SHORTEST && comparable(name).includes(stem);
  });
  return [...new Set([...found, ...longer].map((file) => file.path))].slice(0, most);
}

/** A shorter word is in too many names. */
const SHORTEST = 2;

/** The folder of what is typed: `web/` for `web/` and for `web/480`. */
export const typedFolder = (text: string): string => text.slice(0, text.lastIndexOf('/') + 1);

const lastPart = (text: string): string => text.slice(typedFolder(text).length);

const withoutExtension = (name: string): string => name.replace(/\.[^.]*$/, '');

/** Whether the name at the end of a text is complete, so that it is not a part of another name: `in.mp4`, and not `480p`. */
export const hasExtension = (text: string): boolean => /[^/.][^/]*\.[a-z0-9]{2,5}$/i.test(text);
