import { readdir, readFile } from 'node:fs/promises';

/** Memory and descriptors of a process. Linux only. */
export interface ProcessUsage {
  readonly rssMiB: number;
  readonly descriptors: number;
}

export async function usageOf(pid: number): Promise<ProcessUsage> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kib = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  return { rssMiB: Math.round(kib / 1024), descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}
