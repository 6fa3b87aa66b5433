import type { BigIntStats } from 'node:fs';

/** `dev:ino`: equal for every name of one file, hard links and other spellings on case-blind disks included. */
export const fileIdOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;

/**
 * Tells a file that nobody has replaced or changed since, by `ino:size:mtime` (the time in nanoseconds): an inode alone
 * may be given to another file once the first is gone. Without the device, whose number may change with a restart.
 */
export const fingerprintOf = (stats: Pick<BigIntStats, 'ino' | 'size' | 'mtimeNs'>): string =>
  `${stats.ino}:${stats.size}:${stats.mtimeNs}`;
