import { join } from 'node:path';
import type { ConverterFiles, Scratch, ScratchSpace } from '../../jobs/ports/media-store.ts';
import { errnoOf } from '../file-errors.ts';
import { storageFailure } from '../job-failures.ts';
import type { DirectoryHandle } from './directory-handle.ts';
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
import { scratchUsage } from './scratch-usage.ts';
import { sweep } from './sweep.ts';

export interface ScratchOptions {
  /** The folder on whose disk the scratch folders are; absolute, symlinks resolved. */
  readonly folder: string;
  /** Whether the disk of `folder` answers in microseconds. Default: no. */
  readonly isLocal?: boolean;
  /** Contains the scratch folders if `folder` cannot. */
  readonly dataDir: string;
  /** Default: only one service has scratch folders in `folder`, and holds its lock. */
  readonly scratchParents?: ScratchParents;
  /** Ends all processes that work below `scratchDir`, and resolves when they are gone. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
}

/** The scratch folders of a service. */
export interface ScratchFolders extends Omit<ScratchSpace, 'freeBytes'>, Pick<ConverterFiles, 'scratchFolder'> {
  /** The folder that contains new scratch folders. */
  parent(): DirectoryHandle;
  /** Whether this process uses the scratch folder. */
  isOpen(name: string): boolean;
  /** The scratch folder of an attempt that runs in this process. Throws if it is not open. */
  opened(scratch: Scratch): OpenScratch;
  /** Runs `use` with a scratch folder; with undefined if there is none. */
  withScratch<T>(name: string, use: (scratch: OpenScratch | undefined) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Opens the folder of scratch folders. Logs a warning if it is in the data folder because it cannot be in `folder`. */
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
  /** The scratch folders that this process uses. undefined: it is being created. */
  const open = new Map<string, OpenScratch | undefined>();
  /** Whether all processes in the scratch folders are of an earlier run. A later sweep would also end those of a new job. */
  let canEndProcesses = true;

  /** Creates a scratch folder, also if someone has deleted the folder that contains them. */
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

  /** Runs `use` with each folder that may contain a scratch folder. The folder of this service comes first. */
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

  /** Removes a scratch folder. If that fails, ends the processes that still work in it, and tries again. */
  const removeIn = async (folder: DirectoryHandle, name: string): Promise<void> => {
    try {
      await removeScratch(folder, name);
    } catch {
      await endProcessesIn(join(folder.real, name));
      await removeScratch(folder, name);
    }
  };

  return {
    parent: () => scratchParent.folder,
    isOpen: (name) => open.has(name),
    withScratch,
    opened: ({ name }) => {
      const scratch = open.get(scratchName(name));
      if (scratch === undefined) throw new Error(`The scratch folder ${name} is not open.`);
      return scratch;
    },
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
      ).catch((error) => {
        throw storageFailure('measuring the written files', error);
      }),
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
      }).catch((error) => {
        throw storageFailure('removing the scratch folder of an earlier attempt', error);
      });
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
    close: async () => {
      for (const scratch of open.values()) await scratch?.close();
      await scratchParent.folder.close();
    },
  };
}
