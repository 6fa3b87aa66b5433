import { mkdir, readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { errnoOf } from '../errors.ts';

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

/** Records that `name` may be created in `folder` (absolute, symlinks resolved). */
export async function recordStagedName(scratchDir: string, folder: string, name: string): Promise<void> {
  await mkdir(join(scratchDir, RECORDS), { recursive: true, mode: 0o700 });
  const record = join(scratchDir, RECORDS, name);
  await rm(record, { force: true });
  await symlink(join(folder, name), record);
}

/** Removes every staged file that a scratch folder records. */
export async function removeStagedFiles(scratchDir: string): Promise<void> {
  const names = await readdir(join(scratchDir, RECORDS)).catch((error) => {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const name of names) {
    const staged = await readlink(join(scratchDir, RECORDS, name));
    // Do not trust the record: remove only files with a name that this scratch folder can have recorded.
    if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${basename(scratchDir)}-`)) continue;
    await unlink(staged).catch((error) => {
      if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw error;
    });
  }
}
