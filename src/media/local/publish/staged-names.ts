import { mkdir, readdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { codeOf } from '../errors.ts';

/**
 * Hidden names in the folders of outputs, needed where a file cannot go from scratch to its place in one step.
 * Each is written down in scratch, as a symlink in `beside/` that points to it, before it is made: so
 * whoever removes the scratch finds them, after any crash.
 */
const FOLDER = 'beside';

/** The hidden name of the `index`-th file of a scratch. `purpose` keeps apart two names that one file may need. */
export const stagedName = (scratch: string, index: number, purpose: 'copy' | 'swap'): string =>
  `${RESERVED_PREFIX}-${scratch}-${index}${purpose === 'swap' ? 's' : ''}`;

/** Writes down that `name` may come to be in `folder` (absolute, symlinks resolved). */
export async function recordStagedName(scratchDir: string, folder: string, name: string): Promise<void> {
  await mkdir(join(scratchDir, FOLDER), { recursive: true, mode: 0o700 });
  const note = join(scratchDir, FOLDER, name);
  await rm(note, { force: true });
  await symlink(join(folder, name), note);
}

/** Removes every hidden file that the scratch folder `dir` wrote down. */
export async function removeStagedFiles(dir: string): Promise<void> {
  const notes = await readdir(join(dir, FOLDER)).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const note of notes) {
    const hidden = await readlink(join(dir, FOLDER, note));
    // Whatever the note says, only names that can be ours are removed.
    if (basename(hidden) !== note || !note.startsWith(`${RESERVED_PREFIX}-${basename(dir)}-`)) continue;
    await unlink(hidden).catch((error) => {
      if (!['ENOENT', 'ENOTDIR'].includes(codeOf(error))) throw error;
    });
  }
}
