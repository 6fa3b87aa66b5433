import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

/**
 * What `pid` started and what that started in turn, the nearer first. Linux only; elsewhere nothing is found.
 * Parents are looked up in /proc/PID/stat, which every kernel has and every user may read.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = names.map((name) => {
    const stat = readProc(`/proc/${name}/stat`);
    // The program's name stands in brackets and may hold any character; state and parent follow it.
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
 * A file of /proc, which the kernel makes in microseconds; '' where it is gone. Read at once: asynchronously, each
 * would take a buffer of 64 KiB, as its size is not known.
 */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
