import { readdir, readFile } from 'node:fs/promises';

/**
 * What `pid` started and what that started in turn, the nearer first. Linux only; elsewhere nothing is found.
 * Parents are looked up in /proc/PID/stat, which every kernel has and every user may read.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const parents = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The program's name stands in brackets and may hold any character; state and parent follow it.
      return Number(/^ \S (\d+)/.exec(stat.slice(stat.lastIndexOf(')') + 1))?.[1]);
    }),
  );
  const found: number[] = [];
  let generation = [pid];
  while (generation.length > 0) {
    const next = names.filter((_name, i) => generation.includes(parents[i] ?? Number.NaN)).map(Number);
    found.push(...next);
    generation = next;
  }
  return found;
}
