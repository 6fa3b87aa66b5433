import { link, open, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { errnoOf, NO_LINK } from '../errors.ts';
import { deleteReservation, type PublishFailpoint, type PublishFile, recordReservation } from './publish-state.ts';
import { stagedName } from './staged-names.ts';

/**
 * Gives a finished file its name. Resolves to false where another file has the name, or the finished file is gone. Keeps
 * the temporary, except on a disk without hard links (FAT, some network disks): there, reserves the name with an empty
 * file and then moves the temporary. The empty file is visible for a moment, and a crash of the machine can leave it.
 */
export async function linkIntoPlace(
  failpoint: PublishFailpoint,
  file: PublishFile,
  replace: boolean,
  reserved: boolean,
): Promise<boolean> {
  try {
    if (reserved) await move(failpoint, file);
    else if (replace) await swap(failpoint, file);
    else {
      await link(file.file.temporary, file.target);
      failpoint('linked');
    }
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' || errno === 'ENOENT') return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
  }
  if (!replace && !(await reserve(failpoint, file))) return false;
  await move(failpoint, file);
  return true;
}

/** Renames a second link over the file that has the name, so that the name is never missing. */
async function swap(
  failpoint: PublishFailpoint,
  { file, index, scratchDir, folder, target }: PublishFile,
): Promise<void> {
  const staged = folder.pathOf(stagedName(basename(scratchDir), index, 'swap'));
  await link(file.temporary, staged).catch((error) => {
    // The link of an attempt before a crash: no other process uses this name.
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  failpoint('linked');
  await rename(staged, target);
  failpoint('renamed');
}

async function move(failpoint: PublishFailpoint, { file, target }: PublishFile): Promise<void> {
  await rename(file.temporary, target);
  failpoint('renamed');
}

/** Resolves to false where another file has the name. */
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
