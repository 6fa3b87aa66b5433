import { createFolder, FolderLocked, lockFolder } from '../../store/data-folder.ts';
import type { Log } from '../logger.ts';

/** The maximum wait for the lock. After a service was killed, its reaper holds the lock for a moment. */
const WAIT_MS = 3000;

/**
 * Locks the scratch folders of a media root: a second service that runs jobs would end the conversions of this one as orphans. Throws
 * `FolderLocked` after some seconds. Only warns if the file system has no locks. Returns the function that unlocks.
 *
 * @param lockDir A folder of this service alone. Not the parent of the scratch folders, whose sweep would delete the lock.
 */
export function lockMediaRoot(mediaRoot: string, lockDir: string, log: Log['log']): () => void {
  try {
    createFolder(lockDir, 0o700);
    return lockFolder(
      lockDir,
      `Another telecine runs jobs of the media root ${mediaRoot}. Stop it first, set TELECINE_MEDIA_ROOT to another folder, or start with --no-worker.`,
      WAIT_MS,
    );
  } catch (error) {
    if (error instanceof FolderLocked) throw error;
    log.warn({ err: error }, 'the media root cannot be locked; make sure that no other service runs jobs of it');
    return () => {};
  }
}
