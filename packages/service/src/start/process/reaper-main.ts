// The crash reaper runs this program after its service has ended. A separate program starts quickly.
import { killOrphanProcesses } from '@telecine/ffmpeg/process/orphan-processes.ts';
import { FolderLocked, lockFolder } from '../../store/data-folder.ts';

/** The maximum wait for the lock of the dead service, which closes its pipe to the reaper a moment before it releases the lock. */
const WAIT_MS = 5000;

const [lockDir, scratchRoot] = process.argv.slice(2);
if (lockDir === undefined || scratchRoot === undefined)
  throw new Error('Missing arguments: the folder with the lock, and the folder of the scratch folders.');
try {
  const unlock = lockFolder(lockDir, 'Another telecine runs jobs here.', WAIT_MS);
  await killOrphanProcesses(scratchRoot);
  unlock();
} catch (error) {
  // The next service is already running. It has killed the orphan processes; the remaining processes are its own.
  if (!(error instanceof FolderLocked)) throw error;
}
