import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { kill } from '../../process/process-tree.ts';
import type { KernelLimits } from '../limits.ts';
import { type CgroupFiles, findDelegatedCgroup, type OwnCgroup, SERVICE_CGROUP } from './delegated-cgroup.ts';

/** The controllers that limit all processes of a conversion together. */
const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
type Controller = (typeof CONTROLLERS)[number];

/** The cgroup of one conversion. */
export interface JobCgroup {
  /**
   * Moves the process `first` into the cgroup, then its descendants, until `others` returns no further processes. Processes that these
   * start later are in the cgroup too. Throws if a process cannot be moved.
   */
  enter(first: number, others: () => Promise<readonly number[]>): Promise<void>;
  /** True if the cgroup has exceeded its own memory limit. */
  ranOutOfMemory(): Promise<boolean>;
  /** Kills the processes in the cgroup, and removes it. If this fails, the next start of the service removes it. */
  end(): Promise<void>;
}

/** Creates a cgroup for each conversion. */
export interface JobCgroups {
  readonly kind: 'cgroups';
  /** The delegated controllers. The limit of a missing controller does not apply. */
  readonly controllers: readonly Controller[];
  /** Creates a cgroup with these limits. Throws if that fails, so that no conversion runs without its limits. */
  open(limits: Pick<KernelLimits, 'addressSpaceBytes' | 'threads'>): Promise<JobCgroup>;
}

/** There are no cgroups, so the limits apply to each process. */
export interface NoJobCgroups {
  readonly kind: 'none';
  /** The reason, as a sentence for the operator. */
  readonly reason: string;
}

/**
 * Matches the name of a conversion's cgroup: process id and start time of its service, and a number. With them, a service recognises
 * cgroups of dead services.
 */
const NAME = /^job-(\d+)-(\d+)-\d+$/;

/** Returns when a process started, like `processStart`. undefined: the process has ended. */
type StartOf = (pid: number) => string | undefined;

/** How many processes such as bwrap and timeout start ffmpeg. The limit of threads is higher by this number. */
const WRAPPERS = 4;

/**
 * Prepares the delegated cgroup: moves its processes into a cgroup below it, removes the cgroups of killed services, and enables the
 * controllers for conversions. Call it once, at the start.
 *
 * @param niceness The niceness of ffmpeg, which the cgroups get too: between cgroups, the kernel compares the niceness of the cgroups, not
 * of their processes.
 */
export async function openJobCgroups(
  files: CgroupFiles,
  own: OwnCgroup,
  startOf: StartOf,
  niceness: number,
): Promise<JobCgroups | NoJobCgroups> {
  const found = await findDelegatedCgroup(files, own);
  if (typeof found === 'string') return { kind: 'none', reason: found };
  const { folder } = found;
  try {
    await moveAllToServiceCgroup(files, folder);
    // Ignore errors: a cgroup that cannot be removed does no harm.
    for (const name of await files.inner(folder))
      if (isAbandoned(name, startOf)) await remove(files, join(folder, name)).catch(() => undefined);
    const controllers = await enableControllers(files, folder);
    const prefix = `job-${own.pid}-${startOf(own.pid) ?? 'unknown'}-`;
    let count = 0;
    const makeGroup = async (): Promise<string> => {
      for (;;) {
        count += 1;
        const group = join(folder, `${prefix}${count}`);
        try {
          await files.make(group);
          return group;
        } catch (error) {
          ignoreErrno('EEXIST')(error);
        }
      }
    };
    const open: JobCgroups['open'] = async (limits) => {
      const group = await makeGroup();
      const job = jobCgroup(files, group);
      try {
        await setLimits(files, group, controllers, limits);
        if (controllers.includes('cpu')) await files.write(group, 'cpu.weight.nice', `${niceness}`);
      } catch (error) {
        await job.end();
        throw error;
      }
      return job;
    };
    return { kind: 'cgroups', controllers, open };
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) };
    return { kind: 'none', reason: `The delegated cgroup cannot be used (${message}).` };
  }
}

/** True if a cgroup belongs to a conversion of a dead service. */
function isAbandoned(name: string, startOf: StartOf): boolean {
  const [, pid, start] = NAME.exec(name) ?? [];
  return start !== undefined && startOf(Number(pid)) !== start;
}

/** The maximum number of rounds of moving. Moving is repeated, because a process may start others before it is moved. */
const MAX_MOVES = 10;

/** Moves all processes of a cgroup to the service's own cgroup: a cgroup that controls the cgroups below it must not contain processes. */
async function moveAllToServiceCgroup(files: CgroupFiles, folder: string): Promise<void> {
  const service = join(folder, SERVICE_CGROUP);
  await files.make(service).catch(ignoreErrno('EEXIST'));
  for (let move = 1; move <= MAX_MOVES; move += 1) {
    const pids = await pidsIn(files, folder);
    if (pids.length === 0) return;
    for (const pid of pids) await files.write(service, 'cgroup.procs', `${pid}`).catch(ignoreErrno('ESRCH'));
  }
  throw new Error('its processes start other processes too quickly to be moved');
}

const pidsIn = async (files: CgroupFiles, group: string): Promise<readonly number[]> =>
  (await files.read(group, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);

async function enableControllers(files: CgroupFiles, folder: string): Promise<readonly Controller[]> {
  const available = (await files.read(folder, 'cgroup.controllers')).trim().split(' ');
  const delegated = CONTROLLERS.filter((name) => available.includes(name));
  for (const name of delegated) await files.write(folder, 'cgroup.subtree_control', `+${name}`);
  return delegated;
}

async function setLimits(
  files: CgroupFiles,
  group: string,
  controllers: readonly Controller[],
  { addressSpaceBytes, threads }: Pick<KernelLimits, 'addressSpaceBytes' | 'threads'>,
): Promise<void> {
  if (controllers.includes('memory') && addressSpaceBytes !== undefined) {
    await files.write(group, 'memory.max', `${addressSpaceBytes}`);
    // The file is missing if the kernel does not count swap.
    await files.write(group, 'memory.swap.max', '0').catch(ignoreErrno('ENOENT'));
    await files.write(group, 'memory.oom.group', '1');
  }
  if (controllers.includes('pids') && threads !== undefined)
    await files.write(group, 'pids.max', `${threads + WRAPPERS}`);
}

const jobCgroup = (files: CgroupFiles, group: string): JobCgroup => ({
  enter: async (first, others) => {
    const entered = new Set<number>();
    let outside: readonly number[] = [first];
    for (let move = 1; move <= MAX_MOVES; move += 1) {
      for (const pid of outside) {
        await files.write(group, 'cgroup.procs', `${pid}`).catch(ignoreErrno('ESRCH'));
        entered.add(pid);
      }
      outside = (await others()).filter((pid) => !entered.has(pid));
      if (outside.length === 0) return;
    }
    throw new Error('The processes of a conversion start other processes too quickly to be moved into its cgroup.');
  },
  ranOutOfMemory: async () => {
    const events = await files.read(group, 'memory.events').catch(ignoreErrno('ENOENT'));
    // Read `oom`, not `oom_kill`, which also counts kills because the machine or a cgroup above ran out of memory.
    return /^oom [1-9]/m.test(events ?? '');
  },
  end: () => remove(files, group).catch(() => undefined),
});

/** How long to wait until killed processes have left their cgroup, in milliseconds. */
const REMOVAL_MS = 2000;
const REMOVAL_PAUSE_MS = 5;

/** Kills all processes of a cgroup and removes it. */
async function remove(files: CgroupFiles, group: string): Promise<void> {
  for (const end = Date.now() + REMOVAL_MS; ; await sleep(REMOVAL_PAUSE_MS)) {
    // `cgroup.kill` exists since Linux 5.14.
    await files.write(group, 'cgroup.kill', '1').catch(async (error) => {
      ignoreErrno('ENOENT')(error);
      for (const pid of await pidsIn(files, group)) kill(pid);
    });
    try {
      return await files.remove(group);
    } catch (error) {
      if (errnoOf(error) !== 'EBUSY' || Date.now() > end) throw error;
    }
  }
}

/** Returns how the limits of conversions apply, as a sentence for the operator. */
export function limitsText(groups: JobCgroups | NoJobCgroups): string {
  if (groups.kind === 'none') return `Limits apply to each process of a conversion separately. ${groups.reason}`;
  const missing = CONTROLLERS.filter((name) => !groups.controllers.includes(name));
  const limited = groups.controllers.length === 0 ? '' : `, with limits of ${groups.controllers.join(', ')}`;
  return `Each conversion has a cgroup${limited}.${missing.length === 0 ? '' : ` Not delegated: ${missing.join(', ')}.`}`;
}
