import { isRetryable } from '@telecine/contract/domain/failure.ts';
import { RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { MAX_FILE_ATTEMPTS, type WatchedFailure, type WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd, JobEndWrite } from '../jobs/ports/job-store.ts';
import { type FileChange, inState, LONGEST_RETRY_MS, timeAfter } from '../store/ledger-row.ts';
import type { WatchLedger } from '../store/watches.ts';

/** How long after its first and second failure a file is converted again, in milliseconds. */
const RETRY_MS = [60_000, LONGEST_RETRY_MS] as const;

/** Failures that another try some minutes later can avoid, beside those that a job retries by itself. */
const PASSING = ['INPUT_NOT_FOUND', 'TIMEOUT', 'STALLED', 'NO_WORKER', 'FFMPEG_FAILED', 'INTERNAL'];

/** Returns what becomes of a file whose job has ended: it is converted, or tried again, or waits for a person. */
export function stateAfterJob({ attempts }: Pick<WatchedFile, 'attempts'>, { status, error, at }: JobEnd): FileChange {
  if (status === 'COMPLETED') return inState('CONVERTED', at, { settleAt: at });
  const { code, message, fix } = error ?? { code: 'CANCELLED' as const, message: 'The job was cancelled.' };
  return afterFailure(attempts, { code, message, ...(fix && { fix }) }, at);
}

/** Whether another try may help. Of a file that was renamed while its job read it, the fix says so: it begins with a retry. */
function mayPass({ code, fix = '' }: WatchedFailure): boolean {
  const [first] = [fix].flat();
  const isRetry = typeof first === 'object' && 'do' in first && first.do === RETRY_JOB.do;
  return isRetry || PASSING.includes(code) || isRetryable(code);
}

/** Returns what becomes of a file that has failed `attempts` times. */
export function afterFailure(attempts: number, failure: WatchedFailure, at: string): FileChange {
  const ms = mayPass(failure) && attempts < MAX_FILE_ATTEMPTS ? RETRY_MS[attempts - 1] : undefined;
  if (ms === undefined) return inState('NEEDS_ATTENTION', at, { failure });
  return inState('FAILED', at, { failure, dueAt: timeAfter(at, ms) });
}

/** Writes what becomes of files, in the transaction that ends their jobs. */
export const watchEndWrite =
  ({ jobEnded }: Pick<WatchLedger, 'jobEnded'>): JobEndWrite =>
  async (tx, ends) => {
    for (const end of ends) await jobEnded(tx, end, stateAfterJob);
  };

/** What a problem says about a file. */
export const failureOf = ({ code, message, fix, errors }: Problem): WatchedFailure => ({
  ...{ code, message },
  ...(fix !== undefined && { fix }),
  ...(errors.length > 0 && { errors }),
});

/** Returns what an error says about one file, so that this file keeps no others waiting. Throws aborts and outages of the database. */
export function fileProblem(error: unknown, signal: AbortSignal, onError: (error: unknown) => void): Problem {
  signal.throwIfAborted();
  if (isStoreOutage(error)) throw error;
  if (error instanceof Problem) return error;
  onError(error);
  return new Problem('INTERNAL', 'The file could not be checked, because of a defect of the service.', {
    fix: 'Ask the operator for the log of the service.',
  });
}
