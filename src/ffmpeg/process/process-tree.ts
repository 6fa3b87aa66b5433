import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/**
 * Returns the children of `pid`, then their children, and so on. Empty outside Linux. Reads the parents from
 * /proc/PID/stat, which every kernel provides and every user may read.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = names.map((name) => {
    const stat = readProc(`/proc/${name}/stat`);
    // The program name is in parentheses and may contain any character; state and parent follow it.
    return Number(/^ \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 1))?.[1]);
  });
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
