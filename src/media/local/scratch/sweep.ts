import { join } from 'node:path';
import { listScratchNames, type MediaLog, removeScratch, type ScratchFolders, scratchName } from './scratch.ts';

export interface SweepDeps {
  readonly scratchDirs: ScratchFolders['scratchDirs'];
  /** Names of the scratch folders that this process uses. They may be newer than the caller's list. */
  readonly open: ReadonlySet<string>;
  /** Ends all processes that work below this folder, and resolves when they are gone. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/**
 * Ends the processes of an earlier run, then removes every scratch folder that is neither in `live` nor used by this
 * process. Ends no processes while this process uses a scratch folder. Logs folders that cannot be removed.
 */
export async function sweep(deps: SweepDeps, live: ReadonlySet<string>): Promise<void> {
  const names = new Set([...live].map(scratchName));
  for (const scratchDir of deps.scratchDirs) {
    if (deps.open.size === 0) await deps.endProcessesIn(scratchDir);
    for (const name of await listScratchNames(scratchDir)) {
      const dir = join(scratchDir, name);
      if (names.has(name) || deps.open.has(name)) continue;
      try {
        await removeScratch(dir);
      } catch (err) {
        deps.log.warn({ err, scratch: dir }, 'scratch folder of an earlier run not removed');
      }
    }
  }
}
