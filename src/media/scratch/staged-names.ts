import { mkdir, readdir, readlink, symlink, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RESERVED_PREFIX } from '../../domain/media-path.ts';
import { errnoOf } from '../file-errors.ts';
import { type DirectoryHandle, DirectoryMoved, openDirectory, openNested } from './directory-handle.ts';

/**
 * The folder in a scratch folder that records staged files. Staged files are hidden files in the folders of outputs,
 * which publishing needs if a file cannot get from the scratch folder to its path in one step. Before a staged file is
 * created, a symlink to it is created in this folder, so that `removeStagedFiles` finds it after any crash. The name
 * cannot change, because scratch folders of earlier builds use it.
 */
const RECORDS = 'beside';

/** Returns the name of the staged file for output number `index`. One output may need one name for each `purpose`. */
export const stagedName = (scratchName: string, index: number, purpose: 'copy' | 'swap'): string =>
  `${RESERVED_PREFIX}-${scratchName}-${index}${purpose === 'swap' ? 's' : ''}`;

/** Records that `name` may be created in `folder`. */
export async function recordStagedName(scratch: DirectoryHandle, folder: DirectoryHandle, name: string): Promise<void> {
  const records = scratch.pathOf(RECORDS);
  const [target, record] = [join(folder.real, name), join(records, name)];
  await mkdir(records, { recursive: true, mode: 0o700 });
  await symlink(target, record).catch(async (error) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
    await unlink(record);
    await symlink(target, record);
  });
}

/** Removes every staged file that the scratch folder `scratchName` in `scratchParent` records. */
export async function removeStagedFiles(scratchParent: DirectoryHandle, scratchName: string): Promise<void> {
  const records = await openNested(scratchParent, [scratchName, RECORDS]).catch((error) => {
    if (errnoOf(error) === 'ENOENT' || error instanceof DirectoryMoved) return undefined;
    throw error;
  });
  if (records === undefined) return;
  try {
    for (const name of await readdir(records.pathOf('.'))) {
      const staged = await readlink(records.pathOf(name));
      // Do not trust the record: remove only files with a name that this scratch folder can have recorded.
      if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${scratchName}-`)) continue;
      await removeStagedFile(dirname(staged), name);
    }
  } finally {
    await records.close();
  }
}

/** Removes a file of a client's folder, unless that folder is gone or has become reachable only through a symlink. */
async function removeStagedFile(path: string, name: string): Promise<void> {
  try {
    const folder = await openDirectory(path);
    await unlink(folder.pathOf(name)).finally(folder.close);
  } catch (error) {
    if (!(error instanceof DirectoryMoved) && errnoOf(error) !== 'ENOENT') throw error;
  }
}
