import { JobFailed, StorageDown } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import { TargetError } from '../file-errors.ts';
import {
  failed,
  outputFailure as fileOutputFailure,
  storageFailure as fileStorageFailure,
  inputNotFound,
} from '../job-failures.ts';
import { s3ErrorKind, s3ErrorName } from './errors.ts';
import { KeyLocked } from './locks/key-locks.ts';

/** Converts an error to the failure of a job whose input at the client's path `path` cannot be read. */
export function inputFailure(path: string, error: unknown): unknown {
  switch (s3ErrorKind(error)) {
    case 'missing':
      return inputNotFound(path, error);
    case 'precondition':
    case 'range':
      return replacedWhileRead(path, error);
    default:
      return storageFailure(`reading the input "${path}"`, error);
  }
}

/** The failure of a job whose input another program replaced while it was copied. */
export const replacedWhileRead = (path: string, cause?: unknown): JobFailed =>
  failed('INPUT_INVALID', `Input "${path}" was replaced while it was read.`, hint`${RETRY_JOB}.`, cause);

/** Converts an error to the failure of a job whose output at the client's path `path` cannot be written. */
export function outputFailure(path: string, error: unknown): unknown {
  if (error instanceof TargetError) return fileOutputFailure(path, error);
  if (s3ErrorKind(error) === 'key') return fileOutputFailure(path, new TargetError('name', path));
  return storageFailure(`writing the output "${path}"`, error);
}

/**
 * Converts any other error to a failure without hosts, keys and credentials. `action` completes "failed while …". Returns
 * an error that comes neither from S3 nor from a disk unchanged, because it is a bug or an abort.
 */
export function storageFailure(action: string, error: unknown): unknown {
  if (error instanceof JobFailed) return error;
  if (error instanceof KeyLocked)
    return new JobFailed(
      { code: 'STORAGE_FAULT', message: 'Another job or request is changing the same output.' },
      error,
    );
  const kind = s3ErrorKind(error);
  if (kind === undefined) return fileStorageFailure(action, error);
  if (kind === 'full')
    return failed(
      'NO_SPACE',
      `The object store or its quota was full while ${action}.`,
      hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
      error,
    );
  const name = s3ErrorName(error);
  const failure = { code: 'STORAGE_FAULT' as const, message: `The object store failed while ${action} (${name}).` };
  // A damaged object is one object's fault.
  if (kind === 'unavailable' && name !== 'BadDigest') return new StorageDown(failure, error);
  return new JobFailed(failure, error, kind === 'rejected');
}
