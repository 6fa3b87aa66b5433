import { rmdir, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import type { ConverterFiles, Scratch, ScratchSpace, ScratchUsage } from '../../jobs/ports/media-store.ts';
import { rethrow } from '../errno-codes.ts';
import { failed, storageFailure } from '../job-failures.ts';
import { allEnded, type DirectoryHandle, DirectoryMoved } from './directory-handle.ts';
import {
  ALONE,
  listScratchNames,
  type MediaLog,
  makeScratch,
  type OpenScratch,
  openScratch,
  openScratchParent,
  removeFinished,
  removeScratch,
  type ScratchParents,
  scratchName,
} from './scratch.ts';
import { statsOfTree, TreeTooLarge } from './written-tree.ts';

export interface ScratchOptions {
  /** The scratch folders are on the disk of this folder: an absolute path without symlinks. */
  readonly folder: string;
  /** true: the disk of `folder` answers in microseconds, so that synchronous reads are allowed. Default: false. */
  readonly isLocal?: boolean;
  /** Contains the scratch folders if `folder` is not writable. */
  readonly dataDir: string;
  /**
   * The names of the folders of this and of other services. Default: only this service has scratch folders in `folder`,
   * which it has locked.
   */
  readonly scratchParents?: ScratchParents;
  /** Ends all processes whose working folder is below `scratchDir`. Resolves when they have ended. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

export interface ScratchFolders {
  /** The methods of `MediaStore` that an engine adopts without a change. */
  readonly space: Omit<ScratchSpace, 'freeBytes'> & Pick<ConverterFiles, 'scratchFolder'>;
  /** Returns the folder in which new scratch folders are created. */
  parent(): DirectoryHandle;
  /** Returns whether this process uses the scratch folder `name`. */
  isOpen(name: string): boolean;
  /** Returns the open scratch folder of an attempt of this process. Throws if it is not open. */
  opened(scratch: Scratch): OpenScratch;
  /** Calls `use` with a scratch folder, or with undefined if it is missing. */
  withScratch<T>(name: string, use: (scratch: OpenScratch | undefined) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens the folder for scratch folders. Logs a warning if it is in the data folder, not in the media root. */
export async function openScratchFolders(options: ScratchOptions): Promise<ScratchFolders> {
  const { endProcessesIn, log } = options;
  const openParent = () =>
    openScratchParent(options.folder, options.dataDir, options.scratchParents ?? ALONE, options.isLocal);
  let scratchParent = await openParent();
  if (scratchParent.fallback !== undefined)
    log.warn(
      { err: scratchParent.fallback, scratchDir: scratchParent.folder.real },
      'scratch folders are outside the media root; publishing may have to copy',
    );
  /** The scratch folders that this process uses, by name. undefined: the folder is being created. */
  const open = new Map<string, OpenScratch | undefined>();
  /**
   * true: all processes in the scratch folders are from an earlier run, so that a sweep may end them. false as soon as
   * a job has started.
   */
  let canEndProcesses = true;

  /** Creates a scratch folder. If the folder for scratch folders was deleted, creates that too. */
  const makeIn = async (name: string): Promise<OpenScratch> => {
    try {
      return await makeScratch(scratchParent.folder, name);
    } catch (error) {
      if (!['ENOENT', 'ESTALE'].includes(errnoOf(error))) throw error;
      const { folder } = scratchParent;
      scratchParent = await openParent();
      await folder.close();
      return makeScratch(scratchParent.folder, name);
    }
  };

  /** Calls `use` with all folders that may contain scratch folders. The first one belongs to this service. */
  const withScratchParents = async <T>(use: (parents: readonly DirectoryHandle[]) => Promise<T>): Promise<T> => {
    const others = await scratchParent.openOthers();
    try {
      return await use([scratchParent.folder, ...others]);
    } finally {
      await Promise.all(others.map((folder) => folder.close()));
    }
  };

  const withScratch: ScratchFolders['withScratch'] = async (text, use) => {
    const name = scratchName(text);
    const used = open.get(name);
    if (used !== undefined) return use(used);
    return withScratchParents(async (parents) => {
      for (const folder of parents) {
        const found = await openScratch(folder, name);
        if (found !== undefined) return use(found).finally(found.close);
      }
      return use(undefined);
    });
  };

  /** Removes a scratch folder. If that fails, ends the processes that use it, and tries again. */
  const removeIn = async (folder: DirectoryHandle, name: string): Promise<void> => {
    try {
      await removeScratch(folder, name);
    } catch {
      await endProcessesIn(join(folder.real, name));
      await removeScratch(folder, name);
    }
  };

  const space: ScratchFolders['space'] = {
    openScratch: async (jobId, fence) => {
      const name = `${jobId}.${fence}`;
      canEndProcesses = false;
      open.set(name, undefined);
      try {
        open.set(name, await makeIn(scratchName(name)));
        return { name };
      } catch (error) {
        await removeScratch(scratchParent.folder, name).catch(() => undefined);
        open.delete(name);
        throw storageFailure('creating the scratch folder', error);
      }
    },
    scratchUsage: ({ name }) =>
      withScratch(name, async (scratch) =>
        scratch === undefined ? { bytes: 0, files: 0 } : scratchUsage(scratch.folder),
      ).catch(rethrow((error) => storageFailure('measuring the written files', error))),
    discard: async ({ name: text }) => {
      const name = scratchName(text);
      const used = open.get(name);
      try {
        if (used !== undefined) {
          if (await removeFinished(scratchParent.folder, used, name)) return;
          await removeIn(scratchParent.folder, name);
        } else
          await withScratchParents(async (parents) => {
            for (const folder of parents) await removeIn(folder, name);
          });
      } catch (error) {
        throw storageFailure('removing a scratch folder', error);
      } finally {
        open.delete(name);
        await used?.close();
      }
    },
    discardEarlier: async (jobId, fence, kept) => {
      const keptName = kept === undefined ? undefined : scratchName(kept);
      await withScratchParents(async (parents) => {
        for (const folder of parents)
          for (const name of await listScratchNames(folder)) {
            const [ofJob, ofFence] = name.split('.');
            if (ofJob !== jobId || Number(ofFence) >= fence || name === keptName || open.has(name)) continue;
            await removeIn(folder, name);
          }
      }).catch(rethrow((error) => storageFailure('removing the scratch folder of an earlier attempt', error)));
    },
    release: async ({ name: text }) => {
      const name = scratchName(text);
      const used = open.get(name);
      open.delete(name);
      await used?.close();
    },
    sweep: (readLive) => {
      const ending = canEndProcesses ? { endProcessesIn } : {};
      canEndProcesses = false;
      return withScratchParents((parents) =>
        sweep({ scratchParents: parents, isOpen: (name) => open.has(name), ...ending, log }, readLive),
      );
    },
    scratchFolder: ({ name }) =>
      open.get(name)?.folder.sharedPath() ?? join(scratchParent.folder.real, scratchName(name)),
  };

  return {
    space,
    parent: () => scratchParent.folder,
    isOpen: (name) => open.has(name),
    withScratch,
    opened: ({ name }) => {
      const scratch = open.get(scratchName(name));
      if (scratch === undefined) throw new Error(`The scratch folder ${name} is not open.`);
      return scratch;
    },
    close: async () => {
      for (const scratch of open.values()) await scratch?.close();
      await scratchParent.folder.close();
    },
  };
}

/** The subfolders to which ffmpeg writes. Few conversions need `pass`. */
const WRITTEN = ['out', 'pass'] as const;

/** The unit of `st_blocks` in bytes, which is the same on every file system. */
const BLOCK = 512;

/** The maximum number of files and folders that one conversion may write. At most half as many can be published. */
const MAX_ENTRIES = 20_000;

/**
 * Measures the files that ffmpeg has written to a scratch folder. Throws a `JobFailed` if the size of a file cannot be
 * read.
 */
export async function scratchUsage({
  isLocal,
  pathOf,
}: Pick<DirectoryHandle, 'isLocal' | 'pathOf'>): Promise<ScratchUsage> {
  let blocks = 0n;
  let files = 0;
  try {
    for (const name of WRITTEN) {
      const tree = statsOfTree(pathOf(name), MAX_ENTRIES - files, {
        mayBeMissing: name === 'pass',
        isLocal,
      });
      for await (const stats of tree) {
        files += 1;
        blocks += stats.blocks;
      }
    }
  } catch (error) {
    throw usageFailure(error);
  }
  return { bytes: Number(blocks) * BLOCK, files };
}

function usageFailure(error: unknown): unknown {
  if (error instanceof JobFailed) return error;
  if (error instanceof TreeTooLarge)
    return failed(
      'LIMIT_EXCEEDED',
      `The conversion wrote ${error.message}.`,
      'Write fewer files: use longer segments, a lower frame rate or a part of the input.',
      error,
    );
  if (error instanceof DirectoryMoved)
    return failed('FFMPEG_FAILED', 'The output folder of the conversion was replaced.', undefined, error);
  return storageFailure('measuring the written files', error);
}

interface SweepDeps extends Partial<Pick<ScratchOptions, 'endProcessesIn'>>, Pick<ScratchOptions, 'log'> {
  /** The folder with the scratch folders of this service, followed by the folders of `ScratchParent.openOthers`. */
  readonly scratchParents: readonly DirectoryHandle[];
  /** Returns whether this process uses the scratch folder `name`. */
  readonly isOpen: (name: string) => boolean;
}

/**
 * Removes the scratch folders that are neither live nor open, and empty folders of services that no longer run. First
 * ends the processes of an earlier run, if `endProcessesIn` is present. Logs folders that it cannot remove.
 *
 * First lists the folders, and only then calls `readLive`: a service claims a job before it creates the scratch folder,
 * so the result of `readLive` contains each listed folder of a running job.
 */
async function sweep(deps: SweepDeps, readLive: () => Promise<readonly string[]>): Promise<void> {
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
  for (const folder of others) if (await isUnused(folder)) await removeEmptyFolder(folder, deps.log);
}

/** Updates the time of a folder, by which other services see that the service of the folder still runs. */
export const showUse = (own: DirectoryHandle, log: MediaLog): Promise<void> =>
  utimes(own.pathOf('.'), new Date(), new Date()).catch((err) =>
    log.warn(
      { err, folder: own.real },
      'modification time of the scratch folder of this service not updated: other services may think that it has ended',
    ),
  );

/**
 * A folder without a change for this time is unused. A running service sweeps every hour, but the time must be long:
 * the clocks of services differ, and if another host removes an open folder on a network disk, its service can no
 * longer use the folder (ESTALE).
 */
const ENDED_AFTER_MS = 48 * HOUR_MS;

/** errno codes of a folder that is not empty, or that another service has already removed. */
const EXPECTED: ReadonlySet<string> = new Set(['ENOTEMPTY', 'EEXIST', 'ENOENT']);

/**
 * Returns whether a file or folder is so old that its service cannot still run. A running service updates its time
 * every hour.
 */
const isOld = ({ mtimeMs }: { readonly mtimeMs: bigint }): boolean => Number(mtimeMs) < Date.now() - ENDED_AFTER_MS;

/** Returns whether a folder belongs to a service that no longer runs. Returns false if the folder cannot be read. */
export async function isUnused(folder: DirectoryHandle): Promise<boolean> {
  try {
    return isOld(await folder.stats());
  } catch {
    return false;
  }
}

/**
 * Removes the empty folder of a service that no longer runs. Removes it by its name in its open parent folder, so that
 * no symlink is followed.
 */
export async function removeEmptyFolder(folder: DirectoryHandle, log: MediaLog): Promise<void> {
  try {
    // Do not use `join`, which would remove the "..".
    await rmdir(`${folder.pathOf('..')}/${basename(folder.real)}`);
  } catch (err) {
    if (!EXPECTED.has(errnoOf(err)))
      log.warn({ err, folder: folder.real }, 'empty folder of another service not removed');
  }
}
