import { readFileSync } from 'node:fs';

/** By device number. A number that another mount gets keeps its first answer until the service restarts. */
const known = new Map<bigint, boolean>();

/**
 * Whether the inode numbers of a device identify its files. Many FUSE file systems number the names that the kernel has
 * looked up: hard links of one file differ, and each mount of a folder has other numbers.
 */
export function hasStableInodes(dev: bigint): boolean {
  const answer = known.get(dev) ?? !isFuse(dev);
  known.set(dev, answer);
  return answer;
}

/** Systems without /proc, and devices that are not mounted under their own number (btrfs), do not count as FUSE. */
function isFuse(dev: bigint): boolean {
  try {
    return isFuseIn(readFileSync('/proc/self/mountinfo', 'utf8'), dev);
  } catch {
    return false;
  }
}

/** @param mounts The content of /proc/self/mountinfo (see proc(5)). */
export function isFuseIn(mounts: string, dev: bigint): boolean {
  const number = `${major(dev)}:${minor(dev)}`;
  return mounts.split('\n').some((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    return mount.split(' ')[2] === number && /^fuse(?:\.|$)/.test(source.split(' ')[0] ?? '');
  });
}

/** The parts of a device number, as Linux encodes them. */
const major = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
const minor = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
