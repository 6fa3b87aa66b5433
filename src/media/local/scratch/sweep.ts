import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../errors.ts';
import type { MediaLog } from '../log.ts';
import { removeScratch, type ScratchFolders, scratchName } from './scratch.ts';

export interface SweepDeps {
  readonly scratchDirs: ScratchFolders['scratchDirs'];
  /** Names of scratch folders that this process has open: they are younger than the caller's list may be. */
  readonly open: ReadonlySet<string>;
  /** Ends all processes that work in scratch folders of this room, and resolves when they are gone. */
  readonly endProcessesIn: (room: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/**
 * Ends what an earlier run left working, then removes every scratch folder that is neither in `live` nor open here.
 * Processes are left alone once this process works in scratch itself. What cannot be removed is logged.
 */
export async function sweep(deps: SweepDeps, live: ReadonlySet<string>): Promise<void> {
  const kept = new Set([...live].map(scratchName));
  for (const room of deps.scratchDirs) {
    if (deps.open.size === 0) await deps.endProcessesIn(room);
    for (const name of await namesIn(room)) {
      const dir = join(room, name);
      if (kept.has(name) || deps.open.has(name)) continue;
      try {
        await removeScratch(dir);
      } catch (error) {
        deps.log.warn({ err: error, scratch: dir }, 'A scratch folder of an earlier run could not be removed.');
      }
    }
  }
}

/** A room of a start long ago need not be there, nor be readable. */
async function namesIn(room: string): Promise<readonly string[]> {
  try {
    return await readdir(room);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(codeOf(error))) return [];
    throw error;
  }
}
