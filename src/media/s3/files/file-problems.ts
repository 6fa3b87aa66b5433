import { Problem } from '../../../domain/problem.ts';
import { TargetError } from '../../file-errors.ts';
import { noFreeSpace, notAFile, unusableName } from '../../file-problems.ts';
import { s3ErrorKind, s3ErrorName } from '../errors.ts';
import { KeyLocked } from '../locks/key-locks.ts';

/** Seconds after which a request may succeed. By then, the SDK has already retried it for some seconds. */
const RETRY_SECONDS = 5;

/**
 * Converts an error of a request for a client's file to a problem. `action` completes "failed while …". Returns an error
 * that does not come from S3 unchanged.
 */
export function fileProblem(action: string, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof TargetError) return error.conflict === 'name' ? unusableName() : notAFile(error.path);
  if (error instanceof KeyLocked)
    return new Problem('UNAVAILABLE', 'Another request or job changes this file. Send the request again.', {
      cause: error,
      retryAfterSeconds: RETRY_SECONDS,
    });
  switch (s3ErrorKind(error)) {
    case undefined:
      return error;
    case 'full':
      return noFreeSpace(error);
    case 'key':
      return unusableName();
    case 'unavailable':
    case 'precondition':
      return new Problem('UNAVAILABLE', `The object store failed while ${action} (${s3ErrorName(error)}).`, {
        cause: error,
        retryAfterSeconds: RETRY_SECONDS,
      });
    default:
      return new Problem('STORAGE_FAULT', `The object store failed while ${action} (${s3ErrorName(error)}).`, {
        cause: error,
      });
  }
}

/** Another file has replaced the file between two requests to the object store. */
export const fileReplaced = (): Problem =>
  new Problem('UNAVAILABLE', 'The file was replaced while it was read. Send the request again.', {
    retryAfterSeconds: 1,
  });

/**
 * The parts of an upload are gone, perhaps because its file has appeared and was replaced before that was stored. Retries do not
 * bring them back, and for this status clients of tus begin again.
 */
export const uploadGone = (cause?: unknown): Problem =>
  new Problem(
    'UPLOAD_NOT_FOUND',
    'The object store has not all bytes of this upload any more. Create another upload.',
    cause === undefined ? {} : { cause },
  );
