import type { BigIntStats } from 'node:fs';

/** `dev:ino`: equal for every name of one file, hard links and other spellings on case-blind disks included. */
export const identityOf = (stats: Pick<BigIntStats, 'dev' | 'ino'>): string => `${stats.dev}:${stats.ino}`;
