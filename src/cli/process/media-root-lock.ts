import { dirname } from 'node:path';
import { FolderLocked, lockFolder } from '../../store/data-folder.ts';
import type { Log } from '../logger.ts';

/** Locks the folder above `scratchRoot`. A lock file in `scratchRoot` itself would be deleted by the sweep. */
export const lockScratch = (scratchRoot: string, message: string, waitMs: number): (() => void) =>
  lockFolder(dirname(scratchRoot), message, waitMs);

/** The maximum wait for the lock. After a service was killed, its reaper holds the lock for a moment. */
const WAIT_MS = 3000;

/**
 * Locks the media root for this service: a second service that runs jobs would end the conversions of this one as
 * orphans. Throws `FolderLocked` after some seconds. Only warns if the file system does not support locks.
 *
 * @param scratchRoot The folder that contains the scratch folders.
 * @returns A function that releases the lock.
 */
export function lockMediaRoot(mediaRoot: string, scratchRoot: string, log: Log['log']): () => void {
  try {
    return lockScratch(
      scratchRoot,
      `Another telecine runs jobs of the media root ${mediaRoot}. Stop it first, set TELECINE_MEDIA_ROOT to another folder, or start with --no-worker.`,
      WAIT_MS,
    );
  } catch (error) {
    if (error instanceof FolderLocked) throw error;
    log.warn({ err: error }, 'the media root cannot be locked; make sure that no other service runs jobs of it');
    return () => {};
  }
}
