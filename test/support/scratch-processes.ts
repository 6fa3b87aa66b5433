import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process that works in a scratch folder. The start time distinguishes it from a later process with the same pid. */
interface ScratchProcess {
  readonly pid: number;
  readonly startTicks: string;
  readonly command: string;
}

/**
 * The processes in the scratch folders of a media root, or in that of one job. Found by working directory, arguments, or
 * the mount table of their sandbox, which names the folder on the host. Linux only.
 */
export async function scratchProcesses(mediaRoot: string, jobId?: string): Promise<readonly ScratchProcess[]> {
  // Mount tables contain paths relative to the root of the file system, which may be mounted at the first folder: /tmp.
  const root = `${mediaRoot.split('/').slice(2).join('/')}/.telecine/jobs`;
  // Each service on a shared database has a folder of its own there.
  const mark = new RegExp(`${root.replaceAll('.', '\\.')}(?:-[^/]*)?/${jobId ?? ''}`);
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const text = (name: string): Promise<string> => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
      const [cwd, command, mounts, stat] = await Promise.all([
        readlink(`/proc/${pid}/cwd`).catch(() => ''),
        text('cmdline'),
        text('mountinfo'),
        text('stat'),
      ]);
      // The program name is in brackets and may contain any character. The state is the first field after it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, startTicks = ''] = [fields[0], fields[19]];
      if (state === 'Z' || ![cwd, command, mounts].some((each) => mark.test(each))) return [];
      return [{ pid, startTicks, command: command.replaceAll('\0', ' ').slice(0, 200) }];
    }),
  );
  return found.flat();
}

/** Sends a signal to those of these processes that are still running. */
export function signalEach(processes: readonly ScratchProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes)
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
}

/** The processes of `earlier` that are still running. */
export async function stillRunning(
  mediaRoot: string,
  earlier: readonly ScratchProcess[],
): Promise<readonly ScratchProcess[]> {
  const now = await scratchProcesses(mediaRoot);
  return earlier.filter((old) => now.some(({ pid, startTicks }) => pid === old.pid && startTicks === old.startTicks));
}
