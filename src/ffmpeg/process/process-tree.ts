import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Failure } from '../../domain/failure.ts';
import { inSteps } from '../../domain/steps.ts';

/** How many files of /proc are read in one turn of the event loop, which takes a millisecond. A machine may have thousands. */
const READS_PER_TURN = 50;

/**
 * Returns the children of `pid`, then their children, and so on. Empty outside Linux. Reads the parents from
 * /proc/PID/stat, which every kernel provides and every user may read.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  return findDescendants(pid, await readdir('/proc').catch(() => []), readProc);
}

/** `entries`: the names in /proc. */
export async function findDescendants(
  pid: number,
  entries: readonly string[],
  read: (path: string) => string,
): Promise<readonly number[]> {
  const names = entries.filter((name) => /^\d+$/.test(name));
  const parents: number[] = [];
  for await (const some of inSteps(names, READS_PER_TURN))
    for (const name of some) parents.push(Number(statFields(name, read)[1]));
  const found: number[] = [];
  let generation = [pid];
  while (generation.length > 0) {
    const next = names.filter((_name, i) => generation.includes(parents[i] ?? Number.NaN)).map(Number);
    found.push(...next);
    generation = next;
  }
  return found;
}

/**
 * When the process `pid` started, in clock ticks since the boot: with the process id, it identifies the process, because
 * the kernel uses ids again. Undefined if the process has ended, even if its parent has not noticed yet.
 */
export function processStart(pid: number): string | undefined {
  const fields = statFields(`${pid}`);
  return ENDED_STATES.has(fields[0] ?? '') ? undefined : fields[19];
}

/** The states of a process that has ended (zombie, dead). */
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X']);

/** The fields of /proc/PID/stat from the state to the start; empty if there is no such process. */
function statFields(pid: string, read = readProc): readonly string[] {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program is in parentheses and may contain any character.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
}

/**
 * Reads a file of /proc; '' if the process has exited. Synchronous, because the kernel produces the file in
 * microseconds and an asynchronous read would allocate 64 KiB: the size of such a file is unknown.
 */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

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

/** Sends SIGKILL to a process, unless it has exited. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has just exited.
  }
}
