import { basename, dirname, join, relative } from 'node:path';
import type { CgroupFiles } from './cgroup-files.ts';

/** The group of the service itself in the delegated group: a group with controllers may contain no process. */
export const SERVICE_CGROUP = 'service';

/** What the kernel says about the groups of this process. */
export interface OwnCgroup {
  /** The text of /proc/self/cgroup. */
  readonly cgroup: string;
  /** The text of /proc/self/mountinfo. */
  readonly mountInfo: string;
  /** The user of the service. */
  readonly uid: number;
  readonly pid: number;
}

/** The folder of the group of this process in cgroup v2, or why there is none. Pure. */
export function cgroupFolder({ cgroup, mountInfo }: Pick<OwnCgroup, 'cgroup' | 'mountInfo'>): string | undefined {
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  if (path === undefined) return undefined;
  for (const line of mountInfo.split('\n')) {
    // id, parent, device, root, mount point, options, optional fields, "-", type
    const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /.exec(line) ?? [];
    if (root === undefined || mountPoint === undefined) continue;
    const below = relative(root, path);
    if (below !== '..' && !below.startsWith('../')) return join(mountPoint, below);
  }
  return undefined;
}

/**
 * Finds the group that was delegated to the service, by the owner: systemd gives a group with `Delegate=yes` to the user
 * of the unit. For root, who owns all groups, only the group of a container is certain to be the service's own. A group
 * with other processes, such as that of a terminal, belongs to someone else. Resolves to a sentence if there is none.
 */
export async function findDelegatedCgroup(files: CgroupFiles, own: OwnCgroup): Promise<{ folder: string } | string> {
  const current = cgroupFolder(own);
  if (current === undefined) return 'This machine has no cgroup v2.';
  // A program that the service started is in the group of the service.
  const folder = basename(current) === SERVICE_CGROUP ? dirname(current) : current;
  try {
    // Only the root cgroup of the machine lacks this file.
    await files.read(folder, 'cgroup.type');
    const inContainer = /^0::\/$/m.test(own.cgroup);
    const isOwn = own.uid === 0 ? inContainer : (await files.ownerOf(folder)) === own.uid;
    const wanted = ['cgroup.procs', 'cgroup.subtree_control'];
    const writable = await Promise.all(wanted.map((name) => files.canWrite(folder, name)));
    if (!isOwn || !writable.every(Boolean)) return NOT_DELEGATED;
    const pids = (await files.read(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
    // Process 1 of a container starts the service.
    const isShared = pids.some((pid) => pid !== own.pid && !(inContainer && pid === 1));
    return isShared ? 'The cgroup of the service contains other processes.' : { folder };
  } catch {
    return NOT_DELEGATED;
  }
}

const NOT_DELEGATED = 'The cgroup of the service is not delegated to it.';
