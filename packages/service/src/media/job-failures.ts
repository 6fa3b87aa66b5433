import { errnoOf, isFullDisk } from '@telecine/contract/domain/errno.ts';
import { type FailureCode, JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { type Hint, hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { FIRST_NUMBERS, MAX_FRAMES, type NumberedName } from '@telecine/contract/domain/numbered-name.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';
import {
  DENIED,
  DISK_DOWN,
  MISSING,
  REPLACED,
  type TargetConflict,
  TargetError,
  UNUSABLE_NAME,
  UNWRITABLE,
} from './errno-codes.ts';
import type { ExistingFrames } from './file-names.ts';
import { DirectoryMoved, MAX_NEW_FOLDERS } from './scratch/directory-handle.ts';

export const failed = (code: FailureCode, message: string, fix?: Hint, cause?: unknown): JobFailed =>
  new JobFailed({ code, message, ...(fix && { fix }) }, cause);

/** The failure of a job whose input at `path`, a path of a client, is missing. */
export const inputMissing = (path: string, message: string, fix: Hint, cause?: unknown): JobFailed =>
  new JobFailed({ code: 'INPUT_NOT_FOUND', message, fix, about: { input: path } }, cause);

/** Converts an error to the failure of a job that cannot read its input at `path`. */
export function inputFailure(path: string, error: unknown): unknown {
  const errno = errnoOf(error);
  if (MISSING.has(errno)) return inputNotFound(path, error);
  if (DENIED.has(errno))
    return failed(
      'INPUT_INVALID',
      `Input "${path}" cannot be read: permission denied.`,
      'Give the user that runs the service read access to the file and its folders.',
      error,
    );
  if (REPLACED.has(errno)) return inputReplaced(path, error);
  if (UNUSABLE_NAME.has(errno))
    return failed('INPUT_INVALID', `Input "${path}" has a name that the file system does not allow.`, undefined, error);
  return storageFailure(`reading the input "${path}"`, error);
}

export const inputReplaced = (path: string, cause?: unknown): JobFailed =>
  failed('INPUT_INVALID', `Input "${path}" was replaced while it was opened.`, hint`${RETRY_JOB}.`, cause);

export function inputNotFound(path: string, cause?: unknown): JobFailed {
  const reason = wildcardAdvice(path);
  return inputMissing(
    path,
    `Input "${path}" does not exist in your media root${reason === undefined ? '' : `: ${reason}`}.`,
    hint`Check the path, or put the file there, and ${RETRY_JOB}.`,
    cause,
  );
}

export const emptyInput = (path: string): JobFailed =>
  failed('INPUT_INVALID', `Input "${path}" is empty (0 bytes).`, 'Send a file that contains media.');

export const folderAsInput = (path: string): JobFailed =>
  failed('INPUT_INVALID', `Input "${path}" is a folder.`, 'Send the path of a file in it.');

export const tooManyFrames = (path: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `The sequence "${path}" has more than ${MAX_FRAMES} frames.`,
    'Send it in parts, or as a video.',
  );

export const noMatches = (path: string): JobFailed =>
  inputMissing(
    path,
    `No file in your media root matches "${path}".`,
    'Check the path. The wildcards "*", "?" and "[…]" work in its last name only.',
  );

/**
 * The failure of a job whose image sequence has no first image.
 *
 * @param existing Numbered files with a similar name, if there are any. The message names them.
 */
export function noFrames(path: string, name: NumberedName, start: number, existing?: ExistingFrames): JobFailed {
  const tried = `The sequence "${path}" has no first frame in your media root: tried "${name.format(start)}" to "${name.format(start + FIRST_NUMBERS - 1)}"`;
  if (existing === undefined)
    return inputMissing(
      path,
      `${tried}.`,
      'Check the path. If the frames start at another number, send it as "start_number" in the parameters of this input.',
    );
  const { first, last } = existing;
  return inputMissing(
    path,
    `${tried}, and the files are ${first === last ? `"${first}"` : `"${first}" to "${last}"`}.`,
    'Send the pattern of these files, and their first number as "start_number" in the parameters of this input.',
  );
}

export const outputIsInput = (output: string, input: string): JobFailed =>
  failed(
    'INPUT_INVALID',
    `Output "${output}" is the same file as the input "${input}"; ffmpeg would overwrite it while reading it.`,
    'Send another output path.',
  );

/** The failure of a job that names a bucket which the client may not use. */
export const bucketNotAllowed = (path: string, use: 'read' | 'write'): JobFailed =>
  failed(
    'UNSUPPORTED',
    `The bucket of "${path}" is not allowed${use === 'write' ? ' for writing' : ''} for this client.`,
    'Use a path in your media root, or ask the operator to add the bucket to TELECINE_STORAGE_BUCKETS.',
  );

/** Converts an error to the failure of a job that cannot write its output at `path`. */
export function outputFailure(path: string, error: unknown): unknown {
  if (error instanceof TargetError) return targetFailure(error);
  if (error instanceof DirectoryMoved) return targetFailure(new TargetError('outside', path));
  const errno = errnoOf(error);
  if (errno === 'ENOTDIR') return targetFailure(new TargetError('below-file', path));
  if (REPLACED.has(errno)) return targetFailure(new TargetError(errno === 'EISDIR' ? 'folder' : 'special', path));
  if (UNWRITABLE.has(errno))
    return new JobFailed(
      {
        code: 'STORAGE_FAULT',
        message: `Output "${path}" cannot be written: permission denied, or the file system is read-only.`,
        fix: hint`Give the user that runs the service write access to the folder, or send an output in another folder; then ${RETRY_JOB}.`,
      },
      error,
      true,
    );
  if (UNUSABLE_NAME.has(errno))
    return failed('UNSUPPORTED', `Output "${path}" has a name that the file system does not allow.`, undefined, error);
  return storageFailure(`writing the output "${path}"`, error);
}

/** For each conflict: the end of the error message, and the fix. */
const CONFLICTS: Readonly<Record<Exclude<TargetConflict, 'exists'>, readonly [string, string]>> = {
  folder: ['is a folder', 'Send the path of a file in it.'],
  special: ['is a device, pipe or socket', 'Send another path.'],
  outside: ['resolves outside your media root or to a reserved file', 'Send a path inside your media root.'],
  loop: ['is below a symlink that leads to itself', 'Send another path.'],
  'below-file': ['cannot be created: one of its folders is a file', 'Send another path.'],
  'new-folders': [
    `has more than ${MAX_NEW_FOLDERS} missing folders in its path, the most that a job creates`,
    'Send a path with fewer missing folders, or first create the folders above it.',
  ],
  name: ['has a name that the storage does not allow', 'Send a shorter path, without unusual characters.'],
};

function targetFailure({ conflict, path }: TargetError): JobFailed {
  if (conflict === 'exists') return outputExists(path);
  const [why, fix] = CONFLICTS[conflict];
  return failed('UNSUPPORTED', `Output "${path}" ${why}.`, fix);
}

export const outputExists = (path: string): JobFailed =>
  failed(
    'OUTPUT_EXISTS',
    `Output "${path}" already exists; nothing was changed.`,
    'Send "y": "" in "parameters" to replace the file, or another output path.',
  );

/**
 * Converts a file system error to a failure whose text contains no paths of the host. `action` completes "failed while
 * …". Returns any other error unchanged, because it is a bug or an outage of the database.
 */
export function storageFailure(action: string, error: unknown): unknown {
  // The records of uploads are in the database. Its outage is not a fault of the storage.
  if (isStoreOutage(error)) return error;
  if (error instanceof Problem && error.code === 'UNAVAILABLE')
    return new StorageDown({ code: 'STORAGE_FAULT', message: `The storage did not reply while ${action}.` }, error);
  const errno = errnoOf(error);
  if (error instanceof JobFailed || errno === '') return error;
  if (isFullDisk(error))
    return failed(
      'NO_SPACE',
      `The disk or its quota was full while ${action}.`,
      hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
      error,
    );
  const message = `The storage failed while ${action} (${errno}).`;
  if (DISK_DOWN.has(errno)) return new StorageDown({ code: 'STORAGE_FAULT', message }, error);
  return new JobFailed({ code: 'STORAGE_FAULT', message }, error, UNWRITABLE.has(errno));
}
