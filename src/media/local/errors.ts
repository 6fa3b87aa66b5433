import { type FailureCode, JobFailed } from '../../domain/failure.ts';
import { type Hint, hint, RETRY_JOB } from '../../domain/hint.ts';

/** errno codes that mean a full disk or quota. */
const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

/** errno codes that mean: this process may not. */
const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** errno codes of a write that no later one mends, unless a person does. */
const UNWRITABLE: ReadonlySet<string> = new Set([...DENIED, 'EROFS']);

/** errno codes of link(2) where a file system, a mount or the kernel's policy has no hard link for us. */
export const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** errno codes of a name that no file can have here. */
const UNUSABLE_NAME: ReadonlySet<string> = new Set(['ENAMETOOLONG', 'EILSEQ']);

/** The errno code of a file system's error, '' for any other. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export const failed = (code: FailureCode, message: string, fix?: Hint, cause?: unknown): JobFailed =>
  new JobFailed({ code, message, ...(fix === undefined ? {} : { fix }) }, cause);

/** What a file system's error means for the input at the client's path `path`. */
export function inputFault(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return inputNotFound(path, error);
  if (DENIED.has(code))
    return failed(
      'INPUT_INVALID',
      `The input "${path}" cannot be read by the service.`,
      "Give the service's user the right to read the file and to enter its folders.",
      error,
    );
  if (UNUSABLE_NAME.has(code) || code === 'ELOOP')
    return failed('INPUT_INVALID', `The input "${path}" has a name that no file can have here.`, undefined, error);
  return storageFault(`reading the input "${path}"`, error);
}

export const inputNotFound = (path: string, cause?: unknown): JobFailed =>
  failed(
    'INPUT_NOT_FOUND',
    `There is no file "${path}" in your media root.`,
    hint`Check the path, or put the file there, and ${RETRY_JOB}.`,
    cause,
  );

/** What a file system's error means for the output at the client's path `path`. */
export function outputFault(path: string, error: unknown): unknown {
  const code = codeOf(error);
  if (UNWRITABLE.has(code))
    return new JobFailed(
      {
        code: 'STORAGE_FAULT',
        message: `The service may not write the output "${path}".`,
        fix: hint`Give the service's user the right to write in that folder, or send an output in another; then ${RETRY_JOB}.`,
      },
      error,
      true,
    );
  if (UNUSABLE_NAME.has(code))
    return failed('UNSUPPORTED', `The output "${path}" has a name that no file can have here.`, undefined, error);
  return storageFault(`writing the output "${path}"`, error);
}

export const outputExists = (path: string): JobFailed =>
  failed(
    'OUTPUT_EXISTS',
    `There is a file "${path}" already, and nothing was changed.`,
    'Send another output path, or "y": "" in parameters to replace it.',
  );

export const outputOutside = (path: string): JobFailed =>
  failed(
    'UNSUPPORTED',
    `The output "${path}" leads out of your media root by a symbolic link, or to files of the service's own.`,
    'Send a path that stays inside your media root.',
  );

/**
 * Any other fault of the disk, as a failure that names no host path; `doing` completes "… failed while".
 * What is no error of a file system is a mistake of ours and comes back as it is.
 */
export function storageFault(doing: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof JobFailed || code === '') return error;
  if (FULL.has(code))
    return failed(
      'NO_SPACE',
      `The disk was full, or its quota used up, while ${doing}.`,
      hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
      error,
    );
  const message = `The storage failed while ${doing} (${code}).`;
  return new JobFailed({ code: 'STORAGE_FAULT', message }, error, UNWRITABLE.has(code));
}
