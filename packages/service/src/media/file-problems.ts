import { errnoOf, isFullDisk } from '@telecine/contract/domain/errno.ts';
import { type Hint, hint } from '@telecine/contract/domain/hint.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { DENIED, MISSING, REPLACED, TargetError, UNUSABLE_NAME } from './errno-codes.ts';
import { DirectoryMoved, MAX_NEW_FOLDERS } from './scratch/directory-handle.ts';

const LIST_FILES: Hint = hint`For a list of files: ${{ do: 'list-files' }}.`;

export const fileNotFound = (path: string): Problem =>
  new Problem('FILE_NOT_FOUND', `File "${path}" does not exist in your media root.`, { fix: LIST_FILES });

export const folderNotFound = (path: string): Problem =>
  new Problem('FILE_NOT_FOUND', `Folder "${path}" does not exist in your media root.`, { fix: LIST_FILES });

export const folderNotEmpty = (path: string): Problem =>
  new Problem('FOLDER_NOT_EMPTY', `Folder "${path}" is not empty. Delete its files first.`);

export const fileExists = (path: string): Problem =>
  new Problem('FILE_EXISTS', `"${path}" exists, and nothing is replaced without "replace": true.`);

export const folderExists = (path: string): Problem =>
  new Problem('FILE_EXISTS', `"${path}" exists, and a folder replaces nothing.`);

/** The storage is a bucket without versions, in which a deletion is final. */
export const noBin = (): Problem =>
  invalidRequest([
    {
      field: '/keep',
      code: 'NOT_KEPT',
      message: 'Files are in a bucket without versions, which keeps no deleted files. "keep": false deletes them.',
    },
  ]);

export const otherDiskThanBin = (): Problem =>
  invalidPath(
    'OTHER_DISK',
    'The path is on another disk than the bin of your media root, so it cannot be kept. "keep": false deletes it permanently.',
  );

/** The entry has two folders of its own: its day and its name. */
export const tooDeepForBin = (): Problem =>
  invalidPath(
    'TOO_MANY',
    `The path has more than ${MAX_NEW_FOLDERS - 2} folders, the most that the bin keeps. "keep": false deletes it permanently.`,
  );

export const otherDisk = (): Problem =>
  invalidPath('OTHER_DISK', 'The new path is on another disk of the service, to which it cannot move files.');

/**
 * Gives an error about a path another field, because a request to move a file has two paths. Returns other errors
 * unchanged.
 */
export function problemAt(field: string, error: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors.some((one) => one.field === '/path')) return error;
  return invalidRequest(error.errors.map((one) => (one.field === '/path' ? { ...one, field } : one)));
}

/** The source of a move is at the new path already: a symlink to a folder shows it at both. */
export const sameFile = (path: string): Problem =>
  new Problem(
    'FILE_EXISTS',
    `"${path}" is the file itself, which a link shows at both paths. There is nothing to move. Delete one of the paths instead.`,
  );

/** Another program, or a request to another service, has changed the file since it was checked. */
export const replacedMeanwhile = (): Problem =>
  new Problem('UNAVAILABLE', 'Another program changed the file meanwhile. Send the request again.', {
    retryAfterSeconds: 1,
  });

export const notAFile = (path: string): Problem =>
  new Problem(
    'NOT_A_FILE',
    `"${path}" is not a file: it is a folder, a device, a pipe or a socket, or is below a file. Send the path of a file.`,
  );

/** `cause` is only for the log of the operator. */
export const noFreeSpace = (cause?: unknown): Problem =>
  new Problem('NO_SPACE', 'Not enough free disk space for this file. Delete files, or ask the operator for space.', {
    cause,
  });

export const unusableName = (): Problem => invalidPath('UNUSABLE_NAME', 'The file system does not allow this name.');

/** The key of an object in a folder would be longer than is allowed, once the folder is moved. */
export const keysTooLong = (bytes: number, allowed: number): Problem =>
  invalidPath('TOO_LONG', `The key of a file in the folder would have ${bytes} bytes. ${allowed} are allowed.`);

const tooManyFolders = (): Problem =>
  invalidPath(
    'TOO_MANY',
    `More than ${MAX_NEW_FOLDERS} folders of the path are missing, the most that one request creates.`,
  );

export const outsideRoot = (): Problem =>
  invalidPath('OUTSIDE_ROOT', 'The path resolves outside your media root or to a reserved file.');

const invalidPath = (code: string, message: string): Problem => invalidRequest([{ field: '/path', code, message }]);

/**
 * The problem for a resumable upload whose bytes are not where its record says: they were deleted, or are on a disk of
 * another service. `cause` is only for the log of the operator.
 */
export const uploadGone = (cause?: unknown): Problem =>
  new Problem(
    'STORAGE_FAULT',
    'The bytes of this upload are gone, or on a disk of another service. Delete the upload and send the file again.',
    { cause },
  );

/** The problem for a path to which no file can be written. */
export function targetProblem({ conflict, path }: TargetError): Problem {
  if (conflict === 'outside') return outsideRoot();
  if (conflict === 'new-folders') return tooManyFolders();
  return conflict === 'name' ? unusableName() : notAFile(path);
}

/**
 * Converts a file system error to a problem about `path`, a path of a client. `action` completes "failed while …".
 * Returns any other error unchanged, because it is a bug.
 */
export function diskProblem(path: string, action: string, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof DirectoryMoved) return outsideRoot();
  if (error instanceof TargetError) return targetProblem(error);
  const errno = errnoOf(error);
  if (errno === '') return error;
  if (MISSING.has(errno)) return fileNotFound(path);
  if (REPLACED.has(errno)) return notAFile(path);
  if (UNUSABLE_NAME.has(errno)) return unusableName();
  if (isFullDisk(error)) return noFreeSpace(error);
  if (DENIED.has(errno) || errno === 'EROFS')
    return new Problem(
      'STORAGE_FAULT',
      `The service has no permission to do this in the folder of "${path}". Ask the operator to give it write access.`,
      { cause: error },
    );
  return new Problem('STORAGE_FAULT', `The storage failed while ${action} (${errno}).`, { cause: error });
}
