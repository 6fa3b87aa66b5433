import { readFileSync } from 'node:fs';

export interface Mount {
  /** The path at which it is mounted, without a slash at its end. '' for the root. */
  readonly point: string;
  /** The number of the device. It is the same wherever a file system is mounted. */
  readonly device: string;
  /** The type of the file system, such as `ext4` or `nfs4`. */
  readonly type: string;
}

/**
 * File systems that answer without a network or another process. All others count as remote, also unknown ones: a call that hangs would
 * stop the service.
 */
const LOCAL: ReadonlySet<string> = new Set([
  ...['ext2', 'ext3', 'ext4', 'xfs', 'btrfs', 'zfs', 'f2fs', 'bcachefs', 'jfs', 'reiserfs', 'nilfs2', 'overlay'],
  ...['tmpfs', 'ramfs', 'vfat', 'msdos', 'exfat', 'ntfs3', 'hfsplus', 'iso9660', 'udf', 'squashfs', 'erofs'],
]);

/** @param text The content of /proc/self/mountinfo (see proc(5)). */
export const parseMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , device = '', , point] = mount.split(' ');
    if (point === undefined) return [];
    const path = point.replace(/\\(\d{3})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
    return [{ point: path === '/' ? '' : path, device, type: source.split(' ')[0] ?? '' }];
  });

/** The mounts as this process sees them. Empty on a system without /proc. */
export function readMounts(): readonly Mount[] {
  try {
    return parseMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  } catch {
    return [];
  }
}

/** How long the mounts are taken to be the same: the proof of one job can look at thousands of files. */
const FRESH_MS = 1000;

let last: { readonly mounts: readonly Mount[]; readonly readMs: number } | undefined;

/** Like `readMounts`, at most a second old. */
export function recentMounts(): readonly Mount[] {
  const nowMs = performance.now();
  if (last === undefined || nowMs - last.readMs > FRESH_MS) last = { mounts: readMounts(), readMs: nowMs };
  return last.mounts;
}

/** The mount that contains a path. The last one at a point hides the others. */
function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  let found: Mount | undefined;
  for (const mount of mounts)
    if (`${path}/`.startsWith(`${mount.point}/`) && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  return found;
}

/** Returns a name for the disk of a path, without reading the disk. Calls that could hang take turns by this name. */
export const diskOf = (mounts: readonly Mount[], path: string): string => mountOf(mounts, path)?.point ?? '';

/** Returns the device of a path, without reading the disk. '' on a system without a list of mounts. */
export const deviceOf = (mounts: readonly Mount[], path: string): string => mountOf(mounts, path)?.device ?? '';

/** Whether the file at an absolute path is on a disk that answers in microseconds. */
export const isLocalPath = (mounts: readonly Mount[], path: string): boolean =>
  LOCAL.has(mountOf(mounts, path)?.type ?? '');

/** Whether the folder at an absolute path, and all that is mounted below it, is on disks that answer in microseconds. */
export const isLocalTree = (mounts: readonly Mount[], folder: string): boolean =>
  isLocalPath(mounts, folder) && mounts.every(({ point, type }) => LOCAL.has(type) || !point.startsWith(below(folder)));

const below = (folder: string): string => (folder === '/' ? '/' : `${folder}/`);

/**
 * Returns `isLocalPath` for the paths to which those below `root` lead. `root` is on a local disk, so on a system without a list of mounts,
 * all of them count as local.
 */
export function isLocalFrom(mounts: readonly Mount[], root: string): (path: string) => boolean {
  if (mounts.length === 0) return () => true;
  const isWhole = isLocalTree(mounts, root);
  const top = below(root);
  return (path) => (isWhole && (path === root || path.startsWith(top))) || isLocalPath(mounts, path);
}
