import { join } from 'node:path';
import type { DirectoryHandle } from '../paths/directory-handle.ts';
import { listScratchNames, type MediaLog, removeScratch, scratchName } from './scratch.ts';

export interface SweepDeps {
  readonly scratchParents: readonly DirectoryHandle[];
  /** Whether this process uses a scratch folder. The answer may be newer than the caller's list. */
  readonly isOpen: (name: string) => boolean;
  /** Ends all processes that work below this folder, and resolves when they are gone. Absent: some may be ours. */
  readonly endProcessesIn?: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/**
 * Ends the processes of an earlier run, then removes every scratch folder that is neither in `live` nor used by this
 * process. Logs folders that cannot be removed.
 */
export async function sweep(deps: SweepDeps, live: ReadonlySet<string>): Promise<void> {
  const names = new Set([...live].map(scratchName));
  for (const scratchParent of deps.scratchParents) {
    await deps.endProcessesIn?.(scratchParent.real);
    for (const name of await listScratchNames(scratchParent)) {
      if (names.has(name) || deps.isOpen(name)) continue;
      try {
        await removeScratch(scratchParent, name);
      } catch (err) {
        deps.log.warn({ err, scratch: join(scratchParent.real, name) }, 'scratch folder of an earlier run not removed');
      }
    }
  }
}
