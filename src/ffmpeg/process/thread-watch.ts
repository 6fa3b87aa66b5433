import type { Failure } from '../../domain/failure.ts';
import { descendants, readProc } from './process-tree.ts';

/** A thousand threads take some hundred milliseconds to start. */
const LOOK_EVERY_MS = 250;
/** Who belongs to the job is found anew each so many looks, since that reads all of /proc. */
const FIND_EVERY_LOOKS = 8;

/**
 * Counts the threads of a conversion, where the kernel does not: of root's, and without a sandbox. Linux only. Calls
 * `onTooMany` when there are more than `most`; to be ended by what it returns.
 *
 * @param pid The first process of the pass that runs; undefined between two.
 */
export function watchThreadCount(
  most: number | undefined,
  pid: () => number | undefined,
  onTooMany: (failure: Failure) => void,
): () => void {
  if (most === undefined) return () => undefined;
  let known: readonly number[] = [];
  let looks = 0;
  const look = async (): Promise<void> => {
    const first = pid();
    if (first === undefined) return;
    if (looks++ % FIND_EVERY_LOOKS === 0 || known[0] !== first) known = [first, ...(await descendants(first))];
    const tasks = known.reduce((sum, each) => sum + threadsOf(each), 0);
    if (pid() === first && tasks > most) onTooMany(tooMany(most));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

const threadsOf = (pid: number): number =>
  Number(/^Threads:\s+(\d+)$/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);

const tooMany = (most: number): Failure => ({
  code: 'LIMIT_EXCEEDED',
  message: `ffmpeg started more threads than the ${most} that a job may have at a time (limit "processes").`,
  fix: 'Send a smaller number of threads ("threads"), fewer inputs or filters; or ask the operator for a higher limit.',
});
