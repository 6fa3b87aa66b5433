import { JobFailed, StorageDown } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { TargetError } from '../errno-codes.ts';
import { noFreeSpace, targetProblem, unusableName } from '../file-problems.ts';
import {
  failed,
  outputFailure as fileOutputFailure,
  storageFailure as fileStorageFailure,
  inputNotFound,
} from '../job-failures.ts';
import { s3ErrorKind, s3ErrorName } from './errors.ts';
import { KeyLocked } from './key-locks.ts';

/** Converts an error to the failure of a job that cannot read its input at `path`. */
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

/** Converts an error to the failure of a job that cannot write its output at `path`. */
export function outputFailure(path: string, error: unknown): unknown {
  if (error instanceof TargetError) return fileOutputFailure(path, error);
  if (s3ErrorKind(error) === 'key') return fileOutputFailure(path, new TargetError('name', path));
  return storageFailure(`writing the output "${path}"`, error);
}

/**
 * Converts an error of S3 or of a disk to a failure whose text contains no hosts, keys or credentials. `action`
 * completes "failed while …". Returns any other error unchanged, because it is a bug or an abort.
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
  // BadDigest means that one object was damaged on its way, not that the object store is down.
  if (kind === 'unavailable' && name !== 'BadDigest') return new StorageDown(failure, error);
  return new JobFailed(failure, error, kind === 'rejected');
}

/** How long a client should wait before it retries. The SDK has already retried for some seconds. */
const RETRY_SECONDS = 5;

/** Converts an error of S3 to a problem. `action` completes "failed while …". Returns any other error unchanged. */
export function fileProblem(action: string, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof TargetError) return targetProblem(error);
  if (error instanceof KeyLocked)
    return new Problem('UNAVAILABLE', 'Another request or job changes this file. Send the request again.', {
      cause: error,
      retryAfterSeconds: RETRY_SECONDS,
    });
  const kind = s3ErrorKind(error);
  if (kind === undefined) return error;
  if (kind === 'full') return noFreeSpace(error);
  if (kind === 'key') return unusableName();
  const message = `The object store failed while ${action} (${s3ErrorName(error)}).`;
  if (kind === 'unavailable' || kind === 'precondition')
    return new Problem('UNAVAILABLE', message, { cause: error, retryAfterSeconds: RETRY_SECONDS });
  return new Problem('STORAGE_FAULT', message, { cause: error });
}

/** The problem for a file that was replaced between two requests to the object store. */
export const fileReplaced = (): Problem =>
  new Problem('UNAVAILABLE', 'The file was replaced while it was read. Send the request again.', {
    retryAfterSeconds: 1,
  });

/** The problem for an upload of which some parts are missing. With this status, tus clients begin the upload again. */
export const uploadGone = (cause?: unknown): Problem =>
  new Problem('UPLOAD_NOT_FOUND', 'Bytes of this upload are missing in the object store. Create another upload.', {
    cause,
  });
