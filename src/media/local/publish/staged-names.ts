import { mkdir, readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { errnoOf } from '../errors.ts';

/**
 * Staged files are hidden files in the folders of outputs. Publishing needs them where a file cannot go from the scratch
 * folder to its path in one step. The scratch folder records each before it is created, as a symlink in this folder that
 * leads to it, so that whoever removes the scratch folder finds it after any crash. The name of the folder cannot change:
 * scratch folders of earlier builds have it.
 */
const RECORDS = 'beside';

/** The name of the staged file for output number `index`. `purpose` separates two names that one output may need. */
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
    // Whatever the record says, remove only names that this scratch folder can have created.
    if (basename(staged) !== name || !name.startsWith(`${RESERVED_PREFIX}-${basename(scratchDir)}-`)) continue;
    await unlink(staged).catch((error) => {
      if (!['ENOENT', 'ENOTDIR'].includes(errnoOf(error))) throw error;
    });
  }
}
