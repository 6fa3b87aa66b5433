import { join } from 'node:path';
import { listScratchNames, type MediaLog, removeScratch, type ScratchFolders, scratchName } from './scratch.ts';

export interface SweepDeps {
  readonly scratchDirs: ScratchFolders['scratchDirs'];
  /** Names of the scratch folders that this process has open: they may be younger than the caller's list. */
  readonly open: ReadonlySet<string>;
  /** Ends all processes that work below this folder, and resolves when they are gone. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/**
 * Ends processes of an earlier run, then removes every scratch folder that is neither in `live` nor open in this process.
 * Ends no processes while this process has a scratch folder open. Logs what cannot be removed.
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
