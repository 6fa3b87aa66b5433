import { isBucketPath, parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import { type MediaPath, type PathError, parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';

/** Parses a client's path to one file. Throws INVALID_REQUEST with the field `field`. */
export const parseFilePath = (text: string, root: MediaRoot, field = '/path'): MediaPath =>
  validPath(parseMediaPath(text, root.pathPrefix), field);

/** Parses a path to an output of a job, which can be in a bucket. Throws INVALID_REQUEST. */
export const parseOutputPath = (text: string, root: MediaRoot): MediaPath =>
  validPath(isBucketPath(text) ? parseStoredPath(text) : parseMediaPath(text, root.pathPrefix), '/path');

function validPath(path: MediaPath | PathError, field: string): MediaPath {
  if (typeof path === 'string') return path;
  throw invalidRequest([{ field, ...path }]);
}

/** Splits the prefix of a list into a folder, which is '' or ends with a slash, and the start of a name. */
export function parsePrefix(prefix: string, root: MediaRoot): { readonly folder: string; readonly nameStart: string } {
  const end = prefix.lastIndexOf('/') + 1;
  const nameStart = prefix.slice(end);
  if (end === 0) return { folder: '', nameStart };
  // With a file name, the folder can be parsed as a path to a file.
  const path = parseFilePath(`${prefix.slice(0, end)}${NAME}`, root, '/prefix');
  return { folder: path.slice(0, -NAME.length), nameStart };
}

const NAME = 'x';

/** Whether an error of `FileStore.open` or `remove` means that no file is at the path. */
export const isMissingFile = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'FILE_NOT_FOUND' || error.code === 'NOT_A_FILE');
