import { JobFailed } from '../../../domain/failure.ts';
import { type Hint, hint } from '../../../domain/hint.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import { codeOf } from '../errors.ts';
import { DirectoryMoved } from '../paths/directory-handle.ts';

/** What an error of the disk means for the file at the client's path `path`. `doing` completes "… failed while". */
export function fileProblem(path: string, doing: string, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof DirectoryMoved) return outside();
  if (error instanceof JobFailed) return publishingFault(path, doing, error);
  const code = codeOf(error);
  switch (code) {
    case '':
      return error;
    case 'ENOENT':
    case 'ENOTDIR':
      return fileNotFound(path);
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'EILSEQ':
      return refusedPath('UNUSABLE_NAME', 'No file can have this name here.', 'Send another name.');
    case 'ENOSPC':
    case 'EDQUOT':
      return noSpace(error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new Problem(
        'STORAGE_FAULT',
        `The service may not do this in the folder of "${path}". The operator has to give its user the right to.`,
        { cause: error },
      );
    default:
      return new Problem('STORAGE_FAULT', `The storage failed while ${doing} (${code}).`, { cause: error });
  }
}

/** Publishing speaks of jobs. */
function publishingFault(path: string, doing: string, failed: JobFailed): Problem {
  switch (failed.failure.code) {
    case 'NO_SPACE':
      return noSpace(failed);
    case 'UNSUPPORTED':
      return notAFile(path);
    default:
      return new Problem('STORAGE_FAULT', `The storage failed while ${doing}.`, { cause: failed.cause ?? failed });
  }
}

export const LIST_FILES: Hint = hint`For a list of files: ${{ do: 'list-files' }}.`;

export const fileNotFound = (path: string): Problem =>
  new Problem('FILE_NOT_FOUND', `There is no file "${path}" in your media root.`, { fix: LIST_FILES });

export const notAFile = (path: string): Problem =>
  new Problem(
    'NOT_A_FILE',
    `"${path}" is a folder, or lies below a file, or is a device, pipe or socket. Name a regular file in a folder.`,
  );

export const outside = (): Problem =>
  refusedPath(
    'OUTSIDE_ROOT',
    "The path leads out of your media root by a symbolic link, or to files of the service's own.",
    'Send a path that stays inside your media root.',
  );

/** `cause` is for the log alone. */
export const noSpace = (cause?: unknown): Problem =>
  new Problem(
    'NO_SPACE',
    'There is too little free disk space for this file. Delete files, or ask the operator for space.',
    cause === undefined ? {} : { cause },
  );

const refusedPath = (code: string, message: string, fix: string): Problem =>
  invalidRequest([{ field: '/path', code, message, fix }]);
