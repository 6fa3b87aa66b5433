import { basename, dirname, join, relative } from 'node:path';
import type { CgroupFiles } from './cgroup-files.ts';

/**
 * The name of the cgroup for the service itself, below the delegated one: a cgroup with controllers may contain no
 * process.
 */
export const SERVICE_CGROUP = 'service';

/** What the kernel reports about the cgroups of this process. */
export interface OwnCgroup {
  /** The text of /proc/self/cgroup. */
  readonly cgroup: string;
  /** The text of /proc/self/mountinfo. */
  readonly mountInfo: string;
  /** The user of the service. */
  readonly uid: number;
  readonly pid: number;
}

/** Returns the folder of the cgroup of this process in cgroup v2, or undefined if there is none. Pure. */
export function cgroupFolder({ cgroup, mountInfo }: Pick<OwnCgroup, 'cgroup' | 'mountInfo'>): string | undefined {
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  if (path === undefined) return undefined;
  for (const line of mountInfo.split('\n')) {
    // The fields of a line: id, parent, device, root, mount point, options, optional fields, "-", type.
    const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /.exec(line) ?? [];
    if (root === undefined || mountPoint === undefined) continue;
    // The kernel shows a root outside of the namespace of this process as `/../x`, which no path can be relative to.
    if (root.split('/').includes('..')) continue;
    const below = relative(root, path);
    if (below !== '..' && !below.startsWith('../')) return join(mountPoint, below);
  }
  return undefined;
}

/**
 * Finds the cgroup that was delegated to the service, by its owner: systemd gives a cgroup with `Delegate=yes` to the
 * user of the unit. Root owns all cgroups, so for root only the cgroup of a container certainly belongs to the service.
 * A cgroup with other processes, such as that of a terminal, does not. Resolves to a sentence with the reason if there
 * is none.
 */
export async function findDelegatedCgroup(files: CgroupFiles, own: OwnCgroup): Promise<{ folder: string } | string> {
  const current = cgroupFolder(own);
  if (current === undefined) return 'This machine has no cgroup v2.';
  // A program that the service started is in the cgroup of the service.
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
    // In a container, process 1 may be the program that starts the service.
    const isShared = pids.some((pid) => pid !== own.pid && !(inContainer && pid === 1));
    return isShared ? 'The cgroup of the service contains other processes.' : { folder };
  } catch {
    return NOT_DELEGATED;
  }
}

const NOT_DELEGATED = 'The cgroup of the service is not delegated to it.';
