import type { Failure } from '../../domain/failure.ts';
import { descendants, readProc } from './process-tree.ts';

/**
 * How often the threads are counted. ffmpeg needs a few hundred milliseconds to start a thousand threads, and the limit of
 * address space ends most that do. A job that takes less than a second is never counted.
 */
const CHECK_INTERVAL_MS = 1000;
/** Checks per search for the job's processes. A search is costly, because it reads all of /proc. */
const CHECKS_PER_SEARCH = 2;

/**
 * Counts the threads of a conversion and calls `onTooMany` if there are more than `maxThreads`. Needed because the
 * kernel enforces no thread limit for root or without a sandbox. Linux only.
 *
 * @param pid Returns the id of the first process of the running pass, or undefined between two passes.
 * @returns A function that stops watching.
 */
export function watchThreadCount(
  maxThreads: number | undefined,
  pid: () => number | undefined,
  onTooMany: (failure: Failure) => void,
): () => void {
  if (maxThreads === undefined) return () => undefined;
  let processes: readonly number[] = [];
  let checks = 0;
  const check = async (): Promise<void> => {
    const first = pid();
    if (first === undefined) return;
    if (checks++ % CHECKS_PER_SEARCH === 0 || processes[0] !== first)
      processes = [first, ...(await descendants(first))];
    const threads = processes.reduce((sum, each) => sum + threadsOf(each), 0);
    if (pid() === first && threads > maxThreads) onTooMany(tooManyThreads(maxThreads));
  };
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}

const threadsOf = (pid: number): number =>
  Number(/^Threads:\s+(\d+)$/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);

const tooManyThreads = (maxThreads: number): Failure => ({
  code: 'LIMIT_EXCEEDED',
  message: `ffmpeg started more threads than the ${maxThreads} that a job may have at a time (limit "processes").`,
  fix: 'Send a smaller "threads", fewer inputs or fewer filters, or ask the operator for a higher limit.',
});
