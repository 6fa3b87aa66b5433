import type { Dir, Dirent } from 'node:fs';

/** How many names of a folder are read in one call. */
export const NAMES_AT_A_TIME = 1024;

/** Reads the next names of a folder. The first of these reads waits for the disk, the others have their name in memory. */
export async function readNames(names: Dir): Promise<readonly Dirent[]> {
  const batch: Dirent[] = [];
  while (batch.length < NAMES_AT_A_TIME) {
    const next = await names.read();
    if (next === null) break;
    batch.push(next);
  }
  return batch;
}
