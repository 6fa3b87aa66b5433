import { link, open, rename, unlink } from 'node:fs/promises';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';

/** The path of an entry in an open folder, and the folder, which is flushed to disk after a change. */
export interface Entry {
  readonly folder: DirectoryHandle;
  readonly path: string;
}

/** Replaces the file at `target`, so that its path is never without a file. */
export async function renameOver(source: Entry, target: Entry): Promise<void> {
  await rename(source.path, target.path);
  await target.folder.sync();
  await source.folder.sync();
}

/**
 * Gives a file a new name and then removes the old one. Resolves to false if the new name is taken. On a disk without
 * hard links, an empty file reserves the new name. `steps`: how a caller does this if other programs may replace the file
 * meanwhile.
 */
export async function linkNew(
  source: Entry,
  target: Entry,
  steps: { readonly rename: typeof renameOver; readonly removeOld: typeof renameOver } = {
    rename: renameOver,
    removeOld: removeName,
  },
): Promise<boolean> {
  try {
    await link(source.path, target.path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
    if (!(await reserve(target.path))) return false;
    await steps.rename(source, target).catch(async (error: unknown) => {
      // Another program has removed the file, or has put a folder at its path, which no rename puts over a file.
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) await unlink(target.path).catch(ignoreErrno('ENOENT'));
      throw error;
    });
    return true;
  }
  // Flush the new name first: after a crash of the machine, the file has at least one name.
  await target.folder.sync();
  await steps.removeOld(source, target);
  return true;
}

async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export async function removeName({ folder, path }: Entry): Promise<void> {
  await unlink(path);
  await folder.sync();
}
