import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readProc } from './processes.ts';

/** How long killed processes may take to be gone. */
const PATIENCE_MS = 2000;

/**
 * Kills what still works in scratch after a service died, and resolves once it is gone: processes whose
 * working folder or argument lies under `scratchRoot`, and those of a sandbox whose `out` is a folder of it.
 * Linux only; elsewhere it finds nothing. Call it before the service starts conversions of its own.
 *
 * @param scratchRoot Absolute, symlinks resolved; its folders are the jobs' scratch.
 * @returns How many were killed.
 */
export async function killLeftovers(scratchRoot: string): Promise<number> {
  const outs = await outFolders(scratchRoot);
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.filter((pid) => pid !== process.pid).map(async (pid) => ((await worksIn(pid, scratchRoot, outs)) ? pid : 0)),
  );
  const killed = found.filter((pid) => pid !== 0 && kill(pid));
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(20)) {
    const still = await Promise.all(killed.map((pid) => worksIn(pid, scratchRoot, outs)));
    if (!still.includes(true)) break;
  }
  return killed.length;
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

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
