import { spawn } from 'node:child_process';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { kill, readProc } from './process-tree.ts';

/** Milliseconds to wait for killed processes to disappear. */
const EXIT_TIMEOUT_MS = 2000;

/** Kills orphan processes (see `killOrphanProcesses`), and waits until they are gone. Returns how many there were. */
export async function endOrphanProcesses(scratchRoot: string): Promise<number> {
  const killed = await killOrphanProcesses(scratchRoot);
  for (const end = Date.now() + EXIT_TIMEOUT_MS; Date.now() < end; await sleep(20))
    if ((await processesIn(scratchRoot, killed)).length === 0) break;
  return killed.length;
}

/**
 * Sends SIGKILL to every process whose working folder or an argument is below `scratchRoot`, and to every sandboxed process whose `out`
 * folder is below it. Returns their ids without waiting for their end. Linux only. Do not call it while a service runs conversions in
 * `scratchRoot`.
 *
 * @param scratchRoot The folder with the scratch folders of jobs. Absolute, symlinks resolved.
 */
export async function killOrphanProcesses(scratchRoot: string): Promise<readonly number[]> {
  const killed: number[] = [];
  // A process may start another one during a scan, so scan until nothing new is found.
  for (;;) {
    const found = (await processesIn(scratchRoot, await otherProcesses())).filter((pid) => !killed.includes(pid));
    if (found.length === 0) return killed;
    for (const pid of found) kill(pid);
    killed.push(...found);
  }
}

const otherProcesses = async (): Promise<readonly number[]> =>
  (await readdir('/proc').catch(() => []))
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);

async function processesIn(root: string, pids: readonly number[]): Promise<readonly number[]> {
  const outFolderIds = await outFolders(root);
  const found = await Promise.all(pids.map((pid) => isIn(pid, root, outFolderIds)));
  return pids.filter((_pid, i) => found[i]);
}

async function isIn(pid: number, root: string, outFolderIds: ReadonlySet<string>): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  if (`${cwd}/`.startsWith(`${root}/`)) return true;
  if (
    readProc(`/proc/${pid}/cmdline`)
      .split('\0')
      .some((arg) => arg.startsWith(`${root}/`))
  )
    return true;
  // In a sandbox, the scratch folder has another path.
  return cwd === '/job' && outFolderIds.has(await fileId(`/proc/${pid}/root/job/out`));
}

async function outFolders(root: string): Promise<ReadonlySet<string>> {
  const names = await readdir(root).catch(() => []);
  const ids = await Promise.all(names.map((name) => fileId(join(root, name, 'out'))));
  return new Set(ids.filter((id) => id !== ''));
}

const fileId = (path: string): Promise<string> =>
  stat(path).then(
    (s) => `${s.dev}:${s.ino}`,
    () => '',
  );

interface CrashReaper {
  /** The absolute path of xargs(1), which waits for the end of its input, and needs far less memory than Node. */
  readonly xargs: string;
  /** The absolute path of the program and its arguments. It runs in `/`, without input or output. */
  readonly command: readonly [file: string, ...args: string[]];
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Called if the reaper cannot start, or if it ends before the service. */
  readonly onLost: (error?: Error) => void;
}

/**
 * Starts a process that runs `command` when this process ends for any reason. The process has its own session, so signals to the service do
 * not reach it. Returns a function that ends it without running `command`.
 */
export function startCrashReaper({ xargs, command, env, onLost }: CrashReaper): () => void {
  const reaper = spawn(xargs, command, {
    cwd: '/',
    env,
    // Only this process has the other end of the pipe (close-on-exec), so the pipe closes when this process ends.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.once('error', onLost);
  reaper.once('exit', () => {
    if (!reaper.killed) onLost();
  });
  // Without a listener, an error of the pipe would end the service.
  reaper.stdin.on('error', () => undefined);
  reaper.unref();
  return () => void reaper.kill('SIGKILL');
}
