import { link, open, rename, rm } from 'node:fs/promises';
import { errnoOf, NO_LINK, REPLACED } from '../../file-errors.ts';
import { stagedName } from '../../scratch/staged-names.ts';
import { deleteReservation, type PublishFailpoint, type PublishFile, recordReservation } from './publish-state.ts';

/**
 * Links a finished file to its path. Resolves to false if another file or a folder has that path, or if the finished file
 * is gone.
 * Keeps the temporary file, except on a disk that does not support hard links (FAT, some network disks). There it
 * reserves the path with an empty file and then renames the temporary file. The empty file is visible for a moment, and
 * a crash of the machine can leave it behind.
 */
export async function linkIntoPlace(
  failpoint: PublishFailpoint,
  file: PublishFile,
  scratchName: string,
  replace: boolean,
  reserved: boolean,
): Promise<boolean> {
  try {
    if (reserved) await move(failpoint, file);
    else if (replace) await swap(failpoint, file, scratchName);
    else {
      await link(temporaryOf(file), file.target);
      failpoint('linked');
    }
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' || errno === 'ENOENT' || REPLACED.has(errno)) return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
  }
  if (!replace && !(await reserve(failpoint, file))) return false;
  await move(failpoint, file);
  return true;
}

/** Replaces an existing file: creates a second link and renames it over that file, so that the path always exists. */
async function swap(failpoint: PublishFailpoint, file: PublishFile, scratchName: string): Promise<void> {
  const { index, folder, target } = file;
  const staged = folder.pathOf(stagedName(scratchName, index, 'swap'));
  await link(temporaryOf(file), staged).catch((error) => {
    // The link is from an attempt that crashed, because no other process uses this name.
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  failpoint('linked');
  await rename(staged, target);
  failpoint('renamed');
  // `rename` does nothing if both names are links to one file: another worker has just published it.
  await rm(staged, { force: true });
}

async function move(failpoint: PublishFailpoint, file: PublishFile): Promise<void> {
  await rename(temporaryOf(file), file.target);
  failpoint('renamed');
}

/** Throws ENOENT if the folder of the finished file is gone. */
function temporaryOf({ temporary }: PublishFile): string {
  if (temporary !== undefined) return temporary;
  throw Object.assign(new Error('The folder of the finished file is gone.'), { code: 'ENOENT' });
}

/** Resolves to false if another file has the path. */
async function reserve(failpoint: PublishFailpoint, file: PublishFile): Promise<boolean> {
  await recordReservation(file);
  failpoint('recorded');
  try {
    await (await open(file.target, 'wx')).close();
  } catch (error) {
    await deleteReservation(file);
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  failpoint('reserved');
  return true;
}
