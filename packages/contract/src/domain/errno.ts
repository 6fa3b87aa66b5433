/** The code that Node gives for ESTALE (another computer deleted a file of a network disk). Node has no name for it. */
const STALE = 'Unknown system error -116';

/** Returns the errno code of a file system error, such as ENOENT. Returns '' for any other error. */
export function errnoOf(error: unknown): string {
  // `SuppressedError`: the write to a network disk failed, and closing the file reported the error again.
  if (error instanceof SuppressedError) return errnoOf(error.suppressed) || errnoOf(error.error);
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return '';
  return error.code === STALE ? 'ESTALE' : error.code;
}

/** For `.catch(…)`: returns undefined for an error with one of these errno codes, and throws any other error again. */
export const ignoreErrno =
  (...codes: readonly string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes(errnoOf(error))) throw error;
  };

/** Returns whether a write failed because the disk or a quota of the disk (EDQUOT) is full. */
export const isFullDisk = (error: unknown): boolean => ['ENOSPC', 'EDQUOT'].includes(errnoOf(error));

/** The errno codes of link(2) if the file system, a mount or the kernel does not allow hard links. */
export const NO_LINK: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);
