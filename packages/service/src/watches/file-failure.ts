import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { WatchedFailure } from '@telecine/contract/domain/watch.ts';

/** What a problem says about a file. */
export const failureOf = ({ code, message, fix, errors }: Problem): WatchedFailure => ({
  code,
  message,
  ...(fix !== undefined && { fix }),
  ...(errors.length > 0 && { errors }),
});

/** Returns what an error says about one file, so that this file keeps no others waiting. Throws aborts and outages of the database. */
export function fileFailure(error: unknown, signal: AbortSignal, onError: (error: unknown) => void): WatchedFailure {
  signal.throwIfAborted();
  if (isStoreOutage(error)) throw error;
  if (error instanceof Problem) return failureOf(error);
  onError(error);
  return {
    code: 'INTERNAL',
    message: 'The file could not be checked, because of a defect of the service.',
    fix: 'Ask the operator for the log of the service.',
  };
}
