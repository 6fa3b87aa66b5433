import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { WatchedFailure } from '@telecine/contract/domain/watch.ts';
import { FolderUnreachable } from './ports.ts';

/** What a round of a watch asks again between its steps, because it can take minutes. */
export interface RoundChecks {
  /** Throws `FolderUnreachable` if the watched folder cannot be read, or if another disk has taken its place. Asks once in a round. */
  requireFolder(): Promise<void>;
  /** Whether the watch is still as the round has read it, and its client still has the rights. */
  mayGoOn(): Promise<boolean>;
}

/** What a problem says about a file. */
export const failureOf = ({ code, message, fix, errors }: Problem): WatchedFailure => ({
  code,
  message,
  ...(fix !== undefined && { fix }),
  ...(errors.length > 0 && { errors }),
});

/**
 * Returns what an error says about one file, so that this file keeps no others waiting. Throws errors that are about all files: aborts, outages
 * of the database, and `FolderUnreachable` if the watched folder cannot be read either.
 */
export async function fileFailure(
  error: unknown,
  {
    checks,
    signal,
    onError,
  }: { readonly checks: RoundChecks; readonly signal: AbortSignal; readonly onError: (error: unknown) => void },
): Promise<WatchedFailure> {
  signal.throwIfAborted();
  if (isStoreOutage(error)) throw error;
  if (error instanceof Problem) return failureOf(error);
  if (error instanceof FolderUnreachable) {
    await checks.requireFolder();
    return {
      code: 'STORAGE_FAULT',
      message: `The storage answers for the folder, but not for this file or its outputs (${error.reason}).`,
      fix: 'Ask the operator whether the service may read it, and whether the disk is damaged.',
    };
  }
  onError(error);
  return {
    code: 'INTERNAL',
    message: 'The file could not be checked, because of a defect of the service.',
    fix: 'Ask the operator for the log of the service.',
  };
}
