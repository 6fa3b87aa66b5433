import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';

/** /proc adds this to the path of a deleted file. */
const DELETED = ' (deleted)';

/** The unit of `st_blocks` in bytes, on every file system. */
const BLOCK = 512;

/** The maximum number of counts. Counting is repeated if processes start, end or cannot be read meanwhile. */
const MAX_ROUNDS = 20;
const ROUND_PAUSE_MS = 10;

/** Which processes to count, and where. */
interface CountedProcesses {
  /** The ids of the processes that exist now. */
  list(): Promise<readonly number[]>;
  /** The folders that the processes can write to, as /proc/PID/maps shows them. */
  folders(): Promise<readonly string[]>;
  /** `dev:ino` of each input. Deleted inputs do not count: the processes only read them, and anyone may delete them. */
  readonly inputs: ReadonlySet<string>;
}

/**
 * Returns the disk space of deleted files that the processes still hold open, in bytes. 0 outside Linux, because only Linux has /proc.
 * Throws a `JobFailed` if they cannot be counted: a process cannot be read, processes start too fast, or a deleted file is only mapped into
 * memory, which hides its size.
 *
 * All threads of a process share one table of open files, because the system call filter denies separate tables.
 */
export async function deletedFileBytes(processes: CountedProcesses): Promise<number> {
  let failure: unknown;
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const counted = await processes.list();
    try {
      const bytes = await bytesHeldBy(counted, await processes.folders(), processes.inputs);
      const now = await processes.list();
      // Count again if there is a new process: it may have an open file of a process that ended before it was counted.
      if (now.every((pid) => counted.includes(pid))) return bytes;
      failure = new Error('new processes started during each count');
    } catch (error) {
      if (error instanceof JobFailed) throw error;
      // Try again: a process that just starts a program cannot be read for a moment.
      failure = error;
    }
    await sleep(ROUND_PAUSE_MS);
  }
  throw uncounted(failure);
}

async function bytesHeldBy(
  pids: readonly number[],
  folders: readonly string[],
  inputs: ReadonlySet<string>,
): Promise<number> {
  /** The files by device and inode, because several processes can share an open file. */
  const held = new Map<string, number>();
  for (const pid of pids) {
    for (const descriptor of await descriptorsOf(pid)) {
      const stats = await stat(descriptor, { bigint: true }).catch(undefinedIfGone);
      if (stats?.isFile() !== true || stats.nlink !== 0n) continue;
      const identity = `${stats.dev}:${stats.ino}`;
      if (inputs.has(identity)) continue;
      // Look at the path too: some network and FUSE file systems report zero links even for files that are in a folder.
      const path = (await readlink(descriptor).catch(undefinedIfGone)) ?? '';
      if (path.endsWith(DELETED)) held.set(identity, Number(stats.blocks) * BLOCK);
    }
    if (await mapsDeletedFile(pid, folders)) throw uncounted(new Error('a deleted file is mapped into memory'));
  }
  return [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the paths of the open descriptors of a process, from its first thread that has not ended. */
async function descriptorsOf(pid: number): Promise<readonly string[]> {
  for (const thread of (await readdir(`/proc/${pid}/task`).catch(undefinedIfGone)) ?? []) {
    const folder = `/proc/${pid}/task/${thread}/fd`;
    const names = (await readdir(folder).catch(undefinedIfGone)) ?? [];
    if (names.length > 0) return names.map((name) => `${folder}/${name}`);
  }
  return [];
}

/** True if a process maps a deleted file from one of the folders. Files of the system do not count, because an update may delete them. */
async function mapsDeletedFile(pid: number, folders: readonly string[]): Promise<boolean> {
  const maps = (await readFile(`/proc/${pid}/maps`, 'utf8').catch(undefinedIfGone)) ?? '';
  const program = (await readlink(`/proc/${pid}/exe`).catch(undefinedIfGone)) ?? '';
  const paths = maps.split('\n').map((line) => line.slice(line.indexOf('/')));
  return [...paths, program].some(
    (path) => path.endsWith(DELETED) && folders.some((folder) => path.startsWith(`${folder}/`)),
  );
}

const uncounted = (cause: unknown): JobFailed =>
  new JobFailed(
    {
      code: 'FFMPEG_FAILED',
      message: 'The deleted files that ffmpeg still has open cannot be counted, so ffmpeg was stopped.',
      fix: 'Check the input: ffmpeg does not hide files by itself, so a damaged or hostile input may be the cause.',
    },
    cause,
  );

/** Ignores the errors for a process or descriptor that is gone, and for an input that a file server has deleted (ESTALE). */
const undefinedIfGone = ignoreErrno('ENOENT', 'ESRCH', 'ESTALE');
