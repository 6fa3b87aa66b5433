import { type FailureCode, isRetryable } from '@telecine/contract/domain/failure.ts';
import { MAX_FILE_ATTEMPTS, type WatchedFailure, type WatchedFile } from '@telecine/contract/domain/watch.ts';
import type { JobEnd, JobEndWrite } from '../jobs/ports/job-store.ts';
import { type FileChange, LONGEST_RETRY_MS, readyAgain, UNCONVERTED } from '../store/ledger-row.ts';
import type { WatchLedger } from '../store/watches.ts';

/** How long after its first and second failure a file is converted again, in seconds. */
const RETRY_SECONDS = [60, LONGEST_RETRY_MS / 1000] as const;

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
): FileChange {
  // The job may have read half of a file that was being copied. A person who has cancelled it wants neither.
  if (outdated === true && status !== 'CANCELLED')
    return { ...readyAgain(at), ...(status === 'COMPLETED' && { replaces: true }) };
  const ended = { dueAt: null, failure: null, changedAt: at, ...UNCONVERTED };
  if (status === 'COMPLETED') return { ...ended, state: 'CONVERTED', settleAt: at };
  const { code, message, fix } = error ?? { code: 'CANCELLED' as const, message: 'The job was cancelled.' };
  const failure = { code, message, ...(fix !== undefined && { fix }) };
  const mayPass = isRetryable(code) || PASSING.has(code);
  return { ...ended, ...(mayPass ? afterFailure(attempts, failure, at) : { state: 'NEEDS_ATTENTION', failure }) };
}

/** Returns what becomes of a file that has failed `attempts` times, if another try may help. */
export function afterFailure(attempts: number, failure: WatchedFailure, at: string): FileChange {
  const seconds = RETRY_SECONDS[attempts - 1];
  if (attempts >= MAX_FILE_ATTEMPTS || seconds === undefined) return { state: 'NEEDS_ATTENTION', failure };
  return { state: 'FAILED', failure, dueAt: new Date(Date.parse(at) + seconds * 1000).toISOString() };
}

/** Writes what becomes of files, in the transaction that ends their jobs. */
export const watchEndWrite =
  ({ jobEnded }: Pick<WatchLedger, 'jobEnded'>): JobEndWrite =>
  async (tx, ends) => {
    for (const end of ends) await jobEnded(tx, end, stateAfterJob);
  };
