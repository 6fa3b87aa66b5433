// The crash reaper runs this program after its service has ended. It is a separate program, so that it starts quickly.
import { killOrphanProcesses } from '@telecine/ffmpeg/process/orphan-processes.ts';
import { FolderLocked, lockFolder } from '../../store/data-folder.ts';

/** How long to wait for the lock of the dead service. The service closes its pipe to the reaper a moment before the lock is released. */
const WAIT_MS = 5000;

const [lockDir, scratchRoot] = process.argv.slice(2);
if (lockDir === undefined || scratchRoot === undefined)
  throw new Error('Missing arguments: the folder with the lock, and the folder of the scratch folders.');
try {
  const unlock = lockFolder(lockDir, 'Another telecine runs jobs here.', WAIT_MS);
  await killOrphanProcesses(scratchRoot);
  unlock();
} catch (error) {
  // The next service holds the lock, so it has already killed the orphans. The processes that run now belong to it.
  if (!(error instanceof FolderLocked)) throw error;
}
