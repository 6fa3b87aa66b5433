import { isBucketPath, parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import { type MediaPath, type PathError, parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';

/** Parses a path of a client that names one file. Throws INVALID_REQUEST about the field `field`. */
export const parseFilePath = (text: string, root: MediaRoot, field = '/path'): MediaPath =>
  validPath(parseMediaPath(text, root.pathPrefix), field);

export type ParsedEntry = ReturnType<typeof parseEntryPath>;

/** Parses the path of a file, or of a folder if it ends with a slash. `entryPath`: the path, with a slash at the end of a folder. */
export function parseEntryPath(text: string, root: MediaRoot, field = '/path') {
  const isFolder = text.endsWith('/');
  const path = parseFilePath(isFolder ? withoutFinalSlashes(text) : text, root, field);
  return { path, isFolder, entryPath: isFolder ? `${path}/` : path };
}

/** Parses the path of an output of a job, which can be in a bucket. Throws INVALID_REQUEST. */
export const parseOutputPath = (text: string, root: MediaRoot): MediaPath =>
  validPath(isBucketPath(text) ? parseStoredPath(text) : parseMediaPath(text, root.pathPrefix), '/path');

/** The path of a folder without the slashes at its end. */
export function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

function validPath(path: MediaPath | PathError, field: string): MediaPath {
  if (typeof path === 'string') return path;
  throw invalidRequest([{ field, ...path }]);
}

/** Splits the prefix of a list request into a folder ('' or with a slash at its end) and the start of a name. */
export function parsePrefix(prefix: string, root: MediaRoot): { readonly folder: string; readonly nameStart: string } {
  const end = prefix.lastIndexOf('/') + 1;
  const nameStart = prefix.slice(end);
  if (end === 0) return { folder: '', nameStart };
  // Append a name, so that the folder can be parsed like the path of a file.
  const path = parseFilePath(`${prefix.slice(0, end)}${NAME}`, root, '/prefix');
  return { folder: path.slice(0, -NAME.length), nameStart };
}

const NAME = 'x';

/** Whether an error of `FileStore.open` or `FileStore.remove` means that the file does not exist. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_FILE');
