import { type BigIntStats, readFileSync } from 'node:fs';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';

/**
 * `dev:ino`: equal for all names of one file, such as hard links and different spellings on a case-insensitive disk. Only
 * equal for one name if the inode numbers of the file system are not stable.
 */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * `ino:size:mtime`, mtime in nanoseconds: changes when a file is replaced or changed. The inode alone is not enough,
 * because it is reused after a deletion. The device is not included, because its number may change with a restart. The
 * inode is not included if its number is not stable.
 */
export const fingerprintOf = ({
  dev,
  ino,
  size,
  mtimeNs,
}: Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs'>): string =>
  hasStableInodes(dev) ? `${ino}:${size}:${mtimeNs}` : `${size}:${mtimeNs}`;

/** Whether two names are of one file. If inode numbers are not stable: of files with the same size and time. */
export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  hasStableInodes(a.dev) ? fileIdOf(a) === fileIdOf(b) : a.dev === b.dev && fingerprintOf(a) === fingerprintOf(b);

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});

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
