import { type FailureCode, isRetryable } from '@telecine/contract/domain/failure.ts';
import { MAX_FILE_ATTEMPTS, type WatchedFailure, type WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd, JobEndWrite } from '../jobs/ports/job-store.ts';
import type { AfterJob, WatchLedger } from './ports.ts';

/** How long after its first and second failure a file is converted again, in seconds. */
const RETRY_SECONDS = [60, 600] as const;

/** No file that has failed waits longer, unless the clock was set back meanwhile. */
export const LONGEST_RETRY_MS = 1000 * Math.max(...RETRY_SECONDS);

/** Failures that the job itself does not retry, but that another try some minutes later can avoid. */
const PASSING: ReadonlySet<FailureCode> = new Set([
  'INPUT_NOT_FOUND',
  'TIMEOUT',
  'STALLED',
  'NO_WORKER',
  'FFMPEG_FAILED',
]);

/** Returns what becomes of a file whose job has ended: it is converted, or tried again, or waits for a person. */
export function stateAfterJob(
  { attempts, outdated }: Pick<WatchedFile, 'attempts' | 'outdated'>,
  { status, error, at }: JobEnd,
): AfterJob {
  // The job may have read half of a file that was being copied. A person who has cancelled it wants neither.
  if (outdated === true && status !== 'CANCELLED') return { state: 'READY', replaces: status === 'COMPLETED' };
  if (status === 'COMPLETED') return { state: 'CONVERTED' };
  const { code, message, fix } = error ?? { code: 'CANCELLED' as const, message: 'The job was cancelled.' };
  const failure = { code, message, ...(fix !== undefined && { fix }) };
  return isRetryable(code) || PASSING.has(code)
    ? afterFailure(attempts, failure, at)
    : { state: 'NEEDS_ATTENTION', failure };
}

/** Returns what becomes of a file that has failed `attempts` times, if another try may help. */
export function afterFailure(
  attempts: number,
  failure: WatchedFailure,
  at: string,
): Extract<AfterJob, { readonly failure: WatchedFailure }> {
  const seconds = RETRY_SECONDS[attempts - 1];
  if (attempts >= MAX_FILE_ATTEMPTS || seconds === undefined) return { state: 'NEEDS_ATTENTION', failure };
  return { state: 'FAILED', failure, dueAt: new Date(Date.parse(at) + seconds * 1000).toISOString() };
}

/** Writes what becomes of a file, in the transaction that ends its job. Costs a job without a watch no statement. */
export const watchEndWrite =
  (ledger: Pick<WatchLedger, 'jobEnded'>): JobEndWrite =>
  async (tx, ends) => {
    for (const end of ends) await ledger.jobEnded(tx, end, (row) => stateAfterJob(row, end));
  };
