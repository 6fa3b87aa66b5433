import { link, open, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { codeOf, NO_LINK } from '../errors.ts';
import type { At } from '../failpoints.ts';
import { forgetReservation, noteReservation, type Place } from './publish-state.ts';
import { hiddenName } from './staged-names.ts';

/**
 * Gives a finished file its name. false: the name is another's, or the file is gone. The temporary stays, except on a disk without
 * links (FAT, some network disks): there it is moved, the name being reserved by an empty file before,
 * which for that moment can be seen, and which a crash of the machine may leave.
 */
export async function place(at: At, spot: Place, replace: boolean, reserved: boolean): Promise<boolean> {
  try {
    if (reserved) await move(at, spot);
    else if (replace) await swap(at, spot);
    else {
      await link(spot.file.temporary, spot.target);
      at('linked');
    }
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    if (code === 'EXDEV' || !NO_LINK.has(code)) throw error;
  }
  if (!replace && !(await reserve(at, spot))) return false;
  await move(at, spot);
  return true;
}

/** A second link, renamed over whatever has the name: the name is never missing. */
async function swap(at: At, spot: Place): Promise<void> {
  const hidden = spot.folder.at(hiddenName(basename(spot.scratch), spot.index, 'swap'));
  await link(spot.file.temporary, hidden).catch((error) => {
    // From before a crash: nobody else has this name.
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  at('linked');
  await rename(hidden, spot.target);
  at('renamed');
}

async function move(at: At, spot: Place): Promise<void> {
  await rename(spot.file.temporary, spot.target);
  at('renamed');
}

/** false: the name is taken. */
async function reserve(at: At, spot: Place): Promise<boolean> {
  await noteReservation(spot);
  at('noted');
  try {
    await (await open(spot.target, 'wx')).close();
  } catch (error) {
    await forgetReservation(spot);
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
  at('reserved');
  return true;
}
