import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import { inSteps } from '@telecine/contract/domain/steps.ts';

/** How many files of /proc to read in one turn of the event loop, which takes a millisecond. /proc may have thousands. */
const READS_PER_TURN = 50;

/** The children of `pid`, their children, and so on. Empty outside Linux. */
export async function descendants(pid: number): Promise<readonly number[]> {
  return findDescendants(pid, await readdir('/proc').catch(() => []), readProc);
}

/** Returns the descendants of a process. `entries`: the names in /proc. */
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
 * Returns when the process `pid` started, in clock ticks since the boot. Ids are reused, so only id and start time together identify a
 * process. undefined: the process has ended, even if it is a zombie.
 */
export function processStart(pid: number): string | undefined {
  const fields = statFields(`${pid}`);
  return ENDED_STATES.has(fields[0] ?? '') ? undefined : fields[19];
}

/** The states of an ended process (zombie, dead). */
const ENDED_STATES: ReadonlySet<string> = new Set(['Z', 'X']);

/** Returns the fields of /proc/PID/stat from the state to the start time. Empty: no such process. */
function statFields(pid: string, read = readProc): readonly string[] {
  const stat = read(`/proc/${pid}/stat`);
  // Skip to the last parenthesis: the program name before these fields is in parentheses, and may contain any character.
  return stat === '' ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
}

/**
 * Reads a file of /proc. Empty if the process has exited. Synchronous, because that takes microseconds, and an asynchronous read of a file
 * of unknown size would allocate 64 KiB.
 */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/**
 * The time between two counts, in milliseconds. ffmpeg needs some hundred milliseconds to start a thousand threads, and most jobs with so
 * many exceed the limit of address space first. The threads of a job shorter than a second are never counted.
 */
const CHECK_INTERVAL_MS = 1000;
/** How many counts use one search for the processes of the job. A search reads all of /proc. */
const CHECKS_PER_SEARCH = 2;

/**
 * Calls `onTooMany` if a conversion has more than `maxThreads` threads. It is needed for root and without a sandbox, where the kernel does
 * not limit threads. Linux only. Returns a function that stops the watch.
 *
 * @param pid Returns the id of the first process of the running pass. undefined: between two passes.
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

// The first line is the name, which the process chooses. "^" would also match after a U+2028 in it.
const threadsOf = (pid: number): number =>
  Number(/\nThreads:\s+(\d+)\n/.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);

const tooManyThreads = (maxThreads: number): Failure => ({
  code: 'LIMIT_EXCEEDED',
  message: `ffmpeg started more threads than the ${maxThreads} that a job may have at a time (limit "processes").`,
  fix: 'Send a smaller "threads", fewer inputs or fewer filters, or ask the operator for a higher limit.',
});

/** Sends a signal to a process, unless it has exited. */
export function kill(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process has just exited.
  }
}
