import { link, open, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { codeOf, NO_LINK } from '../errors.ts';
import type { Failpoint } from '../failpoints.ts';
import { deleteReservation, type PublishFile, recordReservation } from './publish-state.ts';
import { stagedName } from './staged-names.ts';

/**
 * Gives a finished file its name. false: the name is another's, or the file is gone. The temporary stays, except on a disk without
 * links (FAT, some network disks): there it is moved, the name being reserved by an empty file before,
 * which for that moment can be seen, and which a crash of the machine may leave.
 */
export async function linkIntoPlace(
  failpoint: Failpoint,
  spot: PublishFile,
  replace: boolean,
  reserved: boolean,
): Promise<boolean> {
  try {
    if (reserved) await move(failpoint, spot);
    else if (replace) await swap(failpoint, spot);
    else {
      await link(spot.file.temporary, spot.target);
      failpoint('linked');
    }
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (code === 'EXDEV' || !NO_LINK.has(code)) throw error;
  }
  if (!replace && !(await reserve(failpoint, spot))) return false;
  await move(failpoint, spot);
  return true;
}

/** A second link, renamed over whatever has the name: the name is never missing. */
async function swap(failpoint: Failpoint, spot: PublishFile): Promise<void> {
  const hidden = spot.folder.at(stagedName(basename(spot.scratch), spot.index, 'swap'));
  await link(spot.file.temporary, hidden).catch((error) => {
    // From before a crash: nobody else has this name.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  failpoint('linked');
  await rename(hidden, spot.target);
  failpoint('renamed');
}

async function move(failpoint: Failpoint, spot: PublishFile): Promise<void> {
  await rename(spot.file.temporary, spot.target);
  failpoint('renamed');
}

/** false: the name is taken. */
async function reserve(failpoint: Failpoint, spot: PublishFile): Promise<boolean> {
  await recordReservation(spot);
  failpoint('noted');
  try {
    await (await open(spot.target, 'wx')).close();
  } catch (error) {
    await deleteReservation(spot);
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  failpoint('reserved');
  return true;
}
