// What the guard of a service runs once the service is gone: a program of its own, so that it starts quickly.
import { killOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { FolderLocked } from '../../store/data-folder.ts';
import { lockScratch } from './media-root-lock.ts';

/** The dead service's own hold ends a moment after its pipe to the guard may have. */
const WAIT_MS = 5000;

const [scratchRoot] = process.argv.slice(2);
if (scratchRoot === undefined) throw new Error('Which scratch is to be swept?');
try {
  const letGo = lockScratch(scratchRoot, 'A service is at work.', WAIT_MS);
  await killOrphanProcesses(scratchRoot);
  letGo();
} catch (error) {
  // The next service is there already. It has swept, and what works there now is its own.
  if (!(error instanceof FolderLocked)) throw error;
}
