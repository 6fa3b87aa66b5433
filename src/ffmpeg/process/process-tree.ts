import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/**
 * The children of `pid`, then their children, and so on. Empty outside Linux. Parents come from /proc/PID/stat, which
 * every kernel has and every user may read.
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
 * Reads a file of /proc; '' if it is gone. The kernel produces it in microseconds. An asynchronous read would allocate
 * 64 KiB, because the size of such a file is unknown.
 */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
