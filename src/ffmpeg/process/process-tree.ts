import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
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
