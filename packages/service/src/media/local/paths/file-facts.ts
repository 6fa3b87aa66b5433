import { type BigIntStats, readFileSync } from 'node:fs';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';
import type { FileVersion } from '../../../jobs/ports/media-store.ts';

/**
 * The device and inode number (`dev:ino`). All names (hard links) of one file have the same id, except on a file system
 * without stable inode numbers.
 */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * Returns `ino:size:mtime`, with the time in nanoseconds. It changes when the file is replaced or changed. Size and
 * time are needed because a new file can get the inode number of a deleted one. The device number is not in it, because
 * a restart can change it. An inode number that is not stable is not in it either.
 */
export const fingerprintOf = ({
  dev,
  ino,
  size,
  mtimeNs,
}: Pick<BigIntStats, 'dev' | 'ino' | 'size' | 'mtimeNs'>): string =>
  hasStableInodes(dev) ? `${ino}:${size}:${mtimeNs}` : `${size}:${mtimeNs}`;

/**
 * Returns the version of a file, with the time of the last change of its inode: programs can set back the other time. No
 * list of mounts is read, because `fileId` has the inode number anyway.
 */
export const fileVersionOf = (stats: BigIntStats): FileVersion => ({
  fileId: fileIdOf(stats),
  fingerprint: `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
});

/** Returns whether both stats are of the same file. Without stable inode numbers, compares the size and the time. */
export const isSameFile = (a: BigIntStats, b: BigIntStats): boolean =>
  hasStableInodes(a.dev) ? fileIdOf(a) === fileIdOf(b) : a.dev === b.dev && fingerprintOf(a) === fingerprintOf(b);

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});

/**
 * For each device number, whether inode numbers are stable. If another mount gets the same number, the old answer stays
 * until the next restart.
 */
const known = new Map<bigint, boolean>();

/**
 * Returns whether the inode number of a file stays the same. Many FUSE file systems give inode numbers to names instead
 * of files.
 */
export function hasStableInodes(dev: bigint): boolean {
  const answer = known.get(dev) ?? !isFuse(dev);
  known.set(dev, answer);
  return answer;
}

/**
 * Returns whether a device is in the list of mounts as a FUSE file system. Returns false if /proc is missing, or if the
 * list shows the device with another number, as for btrfs.
 */
function isFuse(dev: bigint): boolean {
  try {
    return isFuseIn(readFileSync('/proc/self/mountinfo', 'utf8'), dev);
  } catch {
    return false;
  }
}

/**
 * Returns whether a device is a FUSE file system.
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

/** The major and minor part of a device number, as Linux encodes them. */
const major = (dev: bigint): bigint => ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
const minor = (dev: bigint): bigint => (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
