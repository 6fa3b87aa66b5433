import { statfs } from 'node:fs/promises';
import { noFreeSpace } from '../../file-problems.ts';

/** Free space is read again after this many bytes. */
export const SPACE_CHECK_BYTES = 16 * 2 ** 20;

/** Throws NO_SPACE unless `minFreeBytes` stay free on every disk of `folders` after another `bytes` are written. */
export async function checkFreeSpace(folders: readonly string[], bytes: number, minFreeBytes: number): Promise<void> {
  for (const folder of folders) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - bytes < minFreeBytes) throw noFreeSpace();
  }
}
