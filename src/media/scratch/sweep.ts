import { rmdir, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf } from '../file-errors.ts';
import { allEnded, type DirectoryHandle } from './directory-handle.ts';
import { listScratchNames, type MediaLog, removeScratch, scratchName } from './scratch.ts';

export interface SweepDeps {
  /** The folder of this service, then the others; see `ScratchParent`. */
  readonly scratchParents: readonly DirectoryHandle[];
  /** Whether this process uses a scratch folder. The answer may be newer than the caller's list. */
  readonly isOpen: (name: string) => boolean;
  /** Ends all processes that work below this folder, and resolves when they are gone. Absent: some may be ours. */
  readonly endProcessesIn?: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/**
 * Ends the processes of an earlier run, then removes every scratch folder that is neither live nor used by this
 * process, and the empty folders of other services that have ended. Logs folders that cannot be removed. Calls `readLive` after listing the folders: a service creates a scratch folder after it has claimed the
 * job, so a folder that is listed and not live then is not one of a running job.
 */
export async function sweep(deps: SweepDeps, readLive: () => Promise<readonly string[]>): Promise<void> {
  const listed = await allEnded(
    deps.scratchParents.map(async (scratchParent) => ({ scratchParent, names: await listScratchNames(scratchParent) })),
  );
  const live = new Set((await readLive()).map(scratchName));
  const [own, ...others] = deps.scratchParents;
  if (own !== undefined) await deps.endProcessesIn?.(own.real);
  for (const { scratchParent, names } of listed) {
    for (const name of names) {
      if (live.has(name) || deps.isOpen(name)) continue;
      try {
        await removeScratch(scratchParent, name);
      } catch (err) {
        deps.log.warn({ err, scratch: join(scratchParent.real, name) }, 'scratch folder of an earlier run not removed');
      }
    }
  }
  if (own !== undefined) await showUse(own, deps.log);
  for (const folder of others) if (await isUnused(folder)) await removeFolder(folder, deps.log);
}

/** Shows other services that the service of this folder runs. */
export const showUse = (own: DirectoryHandle, log: MediaLog): Promise<void> =>
  utimes(own.pathOf('.'), new Date(), new Date()).catch((err) =>
    log.warn({ err, folder: own.real }, 'time of the folder of this service not updated'),
  );

/**
 * A service that runs sweeps every hour. Far longer than that, because clocks differ, and because a host that keeps a
 * folder of a network disk open cannot use it any more when another host has removed it (ESTALE).
 */
const ENDED_AFTER_MS = 48 * 3_600_000;

/** errno codes of a folder that has entries, or that another service has removed. */
const EXPECTED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT']);

/** Whether a file or folder that a running service changes every hour has not been changed for far longer. */
export const isOld = ({ mtimeMs }: { readonly mtimeMs: bigint }): boolean =>
  Number(mtimeMs) < Date.now() - ENDED_AFTER_MS;

/** Whether the service of a folder must have ended. */
export async function isUnused(folder: DirectoryHandle): Promise<boolean> {
  try {
    return isOld(await folder.stats());
  } catch {
    return false;
  }
}

/**
 * Removes the folder of a service that has ended if it is empty, by its name in its parent of now, so that no symlink in
 * its path is followed.
 */
export async function removeFolder(folder: DirectoryHandle, log: MediaLog): Promise<void> {
  try {
    // Not with `join`, which would remove the "..".
    await rmdir(`${folder.pathOf('..')}/${basename(folder.real)}`);
  } catch (err) {
    if (!EXPECTED.has(errnoOf(err)))
      log.warn({ err, folder: folder.real }, 'empty folder of another service not removed');
  }
}
