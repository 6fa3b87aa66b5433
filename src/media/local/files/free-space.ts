import { statfs } from 'node:fs/promises';
import { noSpace } from './file-problems.ts';

/** Throws NO_SPACE unless every disk that `folders` lie on keeps `minFreeBytes` when it takes `bytes` more. */
export async function checkFreeSpace(folders: readonly string[], bytes: number, minFreeBytes: number): Promise<void> {
  for (const folder of folders) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - bytes < minFreeBytes) throw noSpace();
  }
}
