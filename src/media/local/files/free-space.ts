import { statfs } from 'node:fs/promises';
import { errnoOf, MISSING } from '../../file-errors.ts';
import { noFreeSpace } from '../../file-problems.ts';

/** Free space is read again after this many bytes. */
export const SPACE_CHECK_BYTES = 16 * 2 ** 20;

/**
 * Throws NO_SPACE unless `minFreeBytes` stay free on every disk of `folders` after another `bytes` are written. Ignores a folder
 * that is gone: another request may remove an empty one during an upload, whose end creates it again.
 */
export async function checkFreeSpace(folders: readonly string[], bytes: number, minFreeBytes: number): Promise<void> {
  for (const folder of folders) {
    const found = await statfs(folder).catch((error: unknown) => {
      if (MISSING.has(errnoOf(error))) return undefined;
      throw error;
    });
    if (found !== undefined && found.bavail * found.bsize - bytes < minFreeBytes) throw noFreeSpace();
  }
}
