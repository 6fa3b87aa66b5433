import { dirname } from 'node:path';
import { FolderLocked, lockFolder } from '../../store/data-folder.ts';
import type { Log } from '../logger.ts';

/** As `holdFolder`, for the folder around `scratchRoot`: what lies in it itself is swept. */
export const lockScratch = (scratchRoot: string, message: string, waitMs: number): (() => void) =>
  lockFolder(dirname(scratchRoot), message, waitMs);

/** A service that starts when another was just killed meets the sweep of that one's guard, which takes far less. */
const WAIT_MS = 3000;

/**
 * Two services that run jobs of one media root would take each other's conversions for leftovers. Returns what lets go.
 * Throws `FolderTaken`, after some seconds. On a disk that has no locks it is only warned of.
 *
 * @param scratchRoot Where scratch of this media root lies.
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
    log.warn({ err: error }, 'The media root cannot be locked; see to it that no other service runs jobs of it.');
    return () => {};
  }
}
