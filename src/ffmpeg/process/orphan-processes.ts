import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProc } from './process-tree.ts';

/** How long killed processes may take to be gone. */
const PATIENCE_MS = 2000;

/**
 * Kills what still works in scratch after a service died, as `killLeftovers` does, and resolves once it is gone.
 *
 * @returns How many were killed.
 */
export async function endOrphanProcesses(scratchRoot: string): Promise<number> {
  const killed = await killOrphanProcesses(scratchRoot);
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20))
    if ((await whoWorksIn(scratchRoot, killed)).length === 0) break;
  return killed.length;
}

/**
 * Sends SIGKILL to processes whose working folder or argument lies under `scratchRoot`, and to those of a sandbox
 * whose `out` is a folder of it; resolves once it is sent. Linux only; elsewhere it finds nothing. Not to be called
 * while a service has conversions there.
 *
 * @param scratchRoot Absolute, symlinks resolved; its folders are the jobs' scratch.
 * @returns Their ids.
 */
export async function killOrphanProcesses(scratchRoot: string): Promise<readonly number[]> {
  const killed: number[] = [];
  // Until a look finds nobody new: what was found may have started another while it was looked for.
  for (;;) {
    const found = (await whoWorksIn(scratchRoot, await everyone())).filter((pid) => !killed.includes(pid));
    if (found.length === 0) return killed;
    for (const pid of found) kill(pid);
    killed.push(...found);
  }
}

const everyone = async (): Promise<readonly number[]> =>
  (await readdir('/proc').catch(() => []))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);

async function whoWorksIn(root: string, pids: readonly number[]): Promise<readonly number[]> {
  const outs = await outFolders(root);
  const works = await Promise.all(pids.map((pid) => worksIn(pid, root, outs)));
  return pids.filter((_pid, i) => works[i]);
}

async function worksIn(pid: number, root: string, outs: ReadonlySet<string>): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  if (`${cwd}/`.startsWith(`${root}/`)) return true;
  if (
    readProc(`/proc/${pid}/cmdline`)
      .split('\0')
      .some((arg) => arg.startsWith(`${root}/`))
  )
    return true;
  // Inside a sandbox the paths are others, but the folder is the same.
  return cwd === '/job' && outs.has(await identity(`/proc/${pid}/root/job/out`));
}

async function outFolders(root: string): Promise<ReadonlySet<string>> {
  const names = await readdir(root).catch(() => []);
  const ids = await Promise.all(names.map((name) => identity(join(root, name, 'out'))));
  return new Set(ids.filter((id) => id !== ''));
}

const identity = (path: string): Promise<string> =>
  stat(path).then(
    (s) => `${s.dev}:${s.ino}`,
    () => '',
  );

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in this very moment.
  }
}
