import { Problem } from '../../../domain/problem.ts';
import { DENIED, errnoOf, FULL, MISSING, REPLACED, TargetError, UNUSABLE_NAME } from '../../file-errors.ts';
import { fileNotFound, noFreeSpace, notAFile, outsideRoot, unusableName } from '../../file-problems.ts';
import { DirectoryMoved } from '../../scratch/directory-handle.ts';

/**
 * Converts an error of a request for the file at the client's path `path` to a problem. `action` completes "failed
 * while …". Returns an error that does not come from the file system unchanged, because it is a bug.
 */
export function fileProblem(path: string, action: string, error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof DirectoryMoved) return outsideRoot();
  if (error instanceof TargetError) return error.conflict === 'outside' ? outsideRoot() : notAFile(path);
  const errno = errnoOf(error);
  if (errno === '') return error;
  if (MISSING.has(errno)) return fileNotFound(path);
  if (REPLACED.has(errno)) return notAFile(path);
  if (UNUSABLE_NAME.has(errno)) return unusableName();
  if (FULL.has(errno)) return noFreeSpace(error);
  if (DENIED.has(errno) || errno === 'EROFS')
    return new Problem(
      'STORAGE_FAULT',
      `The service has no permission to do this in the folder of "${path}". Ask the operator to give it write access.`,
      { cause: error },
    );
  return new Problem('STORAGE_FAULT', `The storage failed while ${action} (${errno}).`, { cause: error });
}
