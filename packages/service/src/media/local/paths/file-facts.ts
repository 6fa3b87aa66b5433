import { type BigIntStats, readFileSync } from 'node:fs';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';

/**
 * The device and inode number (`dev:ino`). All names of one file have the same id, except on a file system without stable inode numbers.
 */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * Returns `ino:size:mtime`, with mtime in nanoseconds. It changes when a file is replaced or changed. It contains the size and the time,
 * because a deleted file's inode number is used again. It does not contain the device number, which can change with a restart, or an inode
 * number that is not stable.
 */
export const fingerprintOf = ({
  dev,
  ino,
  size,
  mtimeNs,
}: Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs'>): string =>
  hasStableInodes(dev) ? `${ino}:${size}:${mtimeNs}` : `${size}:${mtimeNs}`;

/** Whether both stats are from the same file. Without stable inode numbers, compares the size and the time. */
export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  hasStableInodes(a.dev) ? fileIdOf(a) === fileIdOf(b) : a.dev === b.dev && fingerprintOf(a) === fingerprintOf(b);

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});

/** Answers by device number. If another mount gets the same device number, the old answer stays until a restart. */
const known = new Map<bigint, boolean>();

/** Whether the inode number of a file stays the same. Many FUSE file systems give inode numbers to names instead of files. */
export function hasStableInodes(dev: bigint): boolean {
  const answer = known.get(dev) ?? !isFuse(dev);
  known.set(dev, answer);
  return answer;
}

/** Returns false without /proc. Also returns false for a device that the list of mounts shows with another number (btrfs). */
function isFuse(dev: bigint): boolean {
  try {
    return isFuseIn(readFileSync('/proc/self/mountinfo', 'utf8'), dev);
  } catch {
    return false;
  }
}

/**
 * Whether a device is a FUSE file system.
 *
 * @param mounts The content of /proc/self/mountinfo (see proc(5)).
 */
export function isFuseIn(mounts: string, dev: bigint): boolean {
  const number = `${major(dev)}:${minor(dev)}`;
  return mounts.split('\n').some((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    return mount.split(' ')[2] === number && /^fuse(?:\.|$)/.test(source.split(' ')[0] ?? '');
  });
}

/** The major and minor number of a device number, in the encoding of Linux. */
const major = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
const minor = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
