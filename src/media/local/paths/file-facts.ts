import type { BigIntStats } from 'node:fs';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';
import { hasStableInodes } from './stable-inodes.ts';

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
