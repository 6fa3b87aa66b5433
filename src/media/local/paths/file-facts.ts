import type { BigIntStats } from 'node:fs';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';

/**
 * `dev:ino`: equal for all names of one file, such as hard links and different spellings on a case-insensitive disk.
 */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * `ino:size:mtime`, mtime in nanoseconds: changes when a file is replaced or changed. The inode alone is not enough,
 * because it is reused after a deletion. The device is not included, because its number may change with a restart.
 */
export const fingerprintOf = (stats: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string =>
  `${stats.ino}:${stats.size}:${stats.mtimeNs}`;

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});
