import { constants, copyFile, link, rename, rm } from 'node:fs/promises';

/** Disks without hard links say one of these. */
const NO_LINKS: ReadonlySet<unknown> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/**
 * Gives a finished file its name. Without `replace` it rejects with EEXIST where something has that name, also where it
 * came a moment ago.
 */
export async function settle(temporary: string, target: string, replace: boolean): Promise<void> {
  if (replace) return rename(temporary, target);
  try {
    await link(temporary, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && NO_LINKS.has(error.code))) throw error;
    await copyFile(temporary, target, constants.COPYFILE_EXCL);
  }
  await rm(temporary);
}
