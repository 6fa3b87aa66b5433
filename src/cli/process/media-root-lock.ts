import { createFolder } from '../../store/create-folder.ts';
import { FolderLocked, lockFolder } from '../../store/data-folder.ts';
import type { Log } from '../logger.ts';

/** The maximum wait for the lock. After a service was killed, its reaper holds the lock for a moment. */
const WAIT_MS = 3000;

/**
 * Locks the media root for this service: a second service that runs jobs would end the conversions of this one as
 * orphans. Services on a shared database have scratch folders of their own, and each locks only those. Throws
 * `FolderLocked` after some seconds. Only warns if the file system does not support locks.
 *
 * @param lockDir A folder of the scratch folders of this service alone, but not their parent, whose sweep would delete the lock.
 *   Created if it is missing.
 * @returns A function that releases the lock.
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
