// The crash reaper runs this program once its service is gone. It is separate from the service so that it starts
// quickly.
import { killOrphanProcesses } from '../../ffmpeg/process/orphan-processes.ts';
import { FolderLocked } from '../../store/data-folder.ts';
import { lockScratch } from './media-root-lock.ts';

/** Longest wait for the lock of the dead service, which may outlive its pipe to the reaper for a moment. */
const WAIT_MS = 5000;

const [scratchRoot] = process.argv.slice(2);
if (scratchRoot === undefined) throw new Error('Missing argument: the folder of the scratch folders.');
try {
  const unlock = lockScratch(scratchRoot, 'Another telecine runs jobs here.', WAIT_MS);
  await killOrphanProcesses(scratchRoot);
  unlock();
} catch (error) {
  // The next service runs already. It has swept; the processes there are its own.
  if (!(error instanceof FolderLocked)) throw error;
}
