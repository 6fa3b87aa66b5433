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

/** The folder of what is typed: `web/` for `web/` and for `web/480`. */
export const typedFolder = (text: string): string => text.slice(0, text.lastIndexOf('/') + 1);

/** Whether the name at the end of a text is complete, so that it is not a part of another name: `in.mp4`, and not `480p`. */
export const hasExtension = (text: string): boolean => /[^/.][^/]*\.[a-z0-9]{2,5}$/i.test(text);
