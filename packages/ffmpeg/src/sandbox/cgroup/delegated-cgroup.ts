import { access, constants, mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';

/** The name of the service's own cgroup, below the delegated one: a cgroup that controls other cgroups must not contain processes. */
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

/** Returns the folder of the cgroup (v2) of this process. undefined: it has no such cgroup. Pure. */
export function cgroupFolder({ cgroup, mountInfo }: Pick<OwnCgroup, 'cgroup' | 'mountInfo'>): string | undefined {
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  if (path === undefined) return undefined;
  for (const line of mountInfo.split('\n')) {
    // The fields of a line: id, parent, device, root, mount point, options, optional fields, "-", type.
    const [, root, mountPoint] = /^\S+ \S+ \S+ (\S+) (\S+) .* - cgroup2 /.exec(line) ?? [];
    if (root === undefined || mountPoint === undefined) continue;
    // Skip a root outside the namespace of this process, which the kernel shows as `/../x`.
    if (root.split('/').includes('..')) continue;
    const below = relative(root, path);
    if (below !== '..' && !below.startsWith('../')) return join(mountPoint, below);
  }
  return undefined;
}

/**
 * Finds the cgroup that is delegated to the service: with `Delegate=yes`, systemd gives one to the user of the unit. Root owns all cgroups,
 * so for root only the cgroup of a container counts. A cgroup with other processes, such as that of a terminal, does not count. Returns the
 * reason as a sentence if there is no delegated cgroup.
 */
export async function findDelegatedCgroup(files: CgroupFiles, own: OwnCgroup): Promise<{ folder: string } | string> {
  const current = cgroupFolder(own);
  if (current === undefined) return 'This machine has no cgroup v2.';
  // If the service started this program, it is already in the cgroup of the service.
  const folder = basename(current) === SERVICE_CGROUP ? dirname(current) : current;
  try {
    // Throws for the root cgroup of the machine, which lacks this file.
    await files.read(folder, 'cgroup.type');
    const inContainer = /^0::\/$/m.test(own.cgroup);
    const isOwn = own.uid === 0 ? inContainer : (await files.ownerOf(folder)) === own.uid;
    const wanted = ['cgroup.procs', 'cgroup.subtree_control'];
    const writable = await Promise.all(wanted.map((name) => files.canWrite(folder, name)));
    if (!isOwn || !writable.every(Boolean)) return NOT_DELEGATED;
    const pids = (await files.read(folder, 'cgroup.procs')).split('\n').filter(Boolean).map(Number);
    // In a container, process 1 may be the program that started the service.
    const isShared = pids.some((pid) => pid !== own.pid && !(inContainer && pid === 1));
    return isShared ? 'The cgroup of the service contains other processes.' : { folder };
  } catch {
    return NOT_DELEGATED;
  }
}

const NOT_DELEGATED = 'The cgroup of the service is not delegated to it.';

/** The cgroup file system. Tests use one in memory, because the kernel may have no controllers. */
export interface CgroupFiles {
  /** The user id of the owner of a cgroup. */
  ownerOf(group: string): Promise<number>;
  /** True if this process may write to the file `name` of a cgroup. */
  canWrite(group: string, name: string): Promise<boolean>;
  read(group: string, name: string): Promise<string>;
  write(group: string, name: string, text: string): Promise<void>;
  /** The names of the cgroups directly below a cgroup. */
  inner(group: string): Promise<readonly string[]>;
  make(group: string): Promise<void>;
  remove(group: string): Promise<void>;
}

/** The cgroup file system of the kernel. Cgroups are absolute paths. */
export const KERNEL_CGROUPS: CgroupFiles = {
  ownerOf: async (group) => (await stat(group)).uid,
  canWrite: (group, name) =>
    access(join(group, name), constants.W_OK).then(
      () => true,
      () => false,
    ),
  read: (group, name) => readFile(join(group, name), 'utf8'),
  // Do not create files: a missing file is a control that the kernel does not have.
  write: (group, name, text) => writeFile(join(group, name), text, { flag: constants.O_WRONLY }),
  inner: async (group) =>
    (await readdir(group, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name),
  make: (group) => mkdir(group),
  remove: (group) => rmdir(group),
};
