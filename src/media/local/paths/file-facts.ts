import type { BigIntStats } from 'node:fs';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';

/** `dev:ino`: equal for all names of one file, such as hard links, and other spellings on a case-insensitive disk. */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * `ino:size:mtime` in nanoseconds: changes when a file is replaced or changed. The inode alone may be given to another
 * file after a deletion. The device is left out, since its number may change with a restart.
 */
export const fingerprintOf = (stats: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string =>
  `${stats.ino}:${stats.size}:${stats.mtimeNs}`;

export const factsOf = (path: MediaPath, stats: BigIntStats): FileFacts => ({
  path,
  sizeBytes: Number(stats.size),
  modifiedAt: stats.mtime,
  fingerprint: fingerprintOf(stats),
});
