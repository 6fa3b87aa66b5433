import { createFolder, FolderLocked, lockFolder } from '../../store/data-folder.ts';
import type { Log } from '../logger.ts';

/** How long to wait for the lock. After a service is killed, its reaper keeps the lock for a moment. */
const WAIT_MS = 3000;

/**
 * Locks the scratch folders of a media root. Without the lock, a second service would kill this service's conversions as orphans. Throws
 * `FolderLocked` after some seconds. Only logs a warning if the file system has no locks. Returns the function that unlocks.
 *
 * @param lockDir A folder that only this service uses. It is not the parent of the scratch folders, because their sweep would delete the
 * lock.
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
