import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { Scratch } from '../../jobs/ports/media-store.ts';
import { REPLACED, TargetError } from '../errno-codes.ts';
import { failed } from '../job-failures.ts';
import { type DirectoryHandle, DirectoryMoved, openPrivate } from './directory-handle.ts';
import type { ScratchFolders } from './scratch-folders.ts';

/** The subfolder of a scratch folder to which ffmpeg writes files between two runs. */
const PASS = 'pass';

/**
 * Opens the folder `pass/` of a scratch folder without following symlinks, because ffmpeg may have been taken over.
 * Throws FFMPEG_FAILED if it, or a file that `use` opens with `READ_FLAGS`, was replaced by a symlink or a folder.
 */
export async function withPass<T>(
  folders: Pick<ScratchFolders, 'opened'>,
  scratch: Scratch,
  use: (pass: DirectoryHandle) => Promise<T>,
): Promise<T> {
  try {
    // No ffmpeg may have run in this scratch folder yet, so `pass/` may be missing.
    await using pass = await openPrivate(folders.opened(scratch).folder, PASS);
    return await use(pass);
  } catch (error) {
    if (!(error instanceof DirectoryMoved || error instanceof TargetError || REPLACED.has(errnoOf(error)))) throw error;
    throw failed('FFMPEG_FAILED', 'The conversion replaced a file of the service.', undefined, error);
  }
}
