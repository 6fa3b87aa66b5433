import { FolderTaken, holdFolder } from '../store/data-folder.ts';
import type { Log } from './logger.ts';

/**
 * Two services that run jobs of one media root would take each other's conversions for leftovers. Returns what lets go.
 * Throws `FolderTaken`. On a disk that has no locks it is only warned of.
 *
 * @param scratchFolder The folder of the media root that scratch lies in.
 */
export function holdMediaRoot(mediaRoot: string, scratchFolder: string, log: Log['log']): () => void {
  try {
    return holdFolder(
      scratchFolder,
      `Another telecine runs jobs of the media root ${mediaRoot}. Stop it first, set TELECINE_MEDIA_ROOT to another folder, or start with --no-worker.`,
    );
  } catch (error) {
    if (error instanceof FolderTaken) throw error;
    log.warn({ err: error }, 'The media root cannot be locked; see to it that no other service runs jobs of it.');
    return () => {};
  }
}
