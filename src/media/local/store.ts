import { mkdir, realpath, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { MediaStore, Scratch, StagedInput } from '../../jobs/ports.ts';
import { errnoOf } from './errors.ts';
import { storageFailure } from './job-failures.ts';
import type { DirectoryHandle } from './paths/directory-handle.ts';
import { openBoundary, type RootBoundary, reservedPaths } from './paths/root-boundary.ts';
import { createPathStats } from './paths/stat-paths.ts';
import { readIntent } from './publish/intent.ts';
import { prepareOutputs } from './publish/prepare.ts';
import { publish } from './publish/publish.ts';
import type { PublishFailpoint } from './publish/publish-state.ts';
import { removeOutputs } from './publish/remove-outputs.ts';
import { unpublish } from './publish/unpublish.ts';
import { rootPath } from './root.ts';
import {
  ALONE,
  type MediaLog,
  makeScratch,
  type OpenScratch,
  openScratch,
  openScratchParent,
  removeScratch,
  type ScratchParents,
  scratchName,
} from './scratch/scratch.ts';
import { scratchUsage } from './scratch/scratch-usage.ts';
import { sweep } from './scratch/sweep.ts';
import type { LocalInput } from './staging/open-input.ts';
import { stage, stageFile } from './staging/stage.ts';

export interface LocalMediaOptions {
  /** The service's media root; created if missing. Scratch folders are on its disk. */
  readonly mediaRoot: string;
  /** Contains the scratch folders if the media root cannot. */
  readonly dataDir: string;
  /** Default: only one service runs jobs of the media root, and holds its lock. */
  readonly scratchParents?: ScratchParents;
  /** Files and folders of the service that no client may access; absolute, symlinks resolved. */
  readonly reserved: readonly string[];
  /** Ends all processes that work below `scratchDir`, and resolves when they are gone. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
  /** Called after each step of publishing; tests end the process there. */
  readonly failpoint?: PublishFailpoint;
}

/** The local engine. `close` closes the folders that it holds open. */
export interface LocalMedia extends MediaStore {
  close(): Promise<void>;
}

/**
 * Creates the media engine for local disks and mounted network disks. Services that run jobs of
 * one media root need `scratchParents` with different names and the same database: otherwise the sweep of one would
 * delete the scratch folders of the other.
 */
export async function localMedia(options: LocalMediaOptions): Promise<LocalMedia> {
  const { endProcessesIn, log, failpoint = () => {} } = options;
  await mkdir(options.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(options.mediaRoot);
  const openParent = () => openScratchParent(mediaRoot, options.dataDir, options.scratchParents ?? ALONE);
  let scratchParent = await openParent();
  if (scratchParent.fallback !== undefined)
    log.warn(
      { err: scratchParent.fallback, scratchDir: scratchParent.folder.real },
      'scratch folders are outside the media root; publishing may have to copy',
    );
  await warnOfOtherWriters(mediaRoot, log);
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const fileMode = 0o666 & ~process.umask();
  /** The scratch folders that this process uses. undefined: it is being created. */
  const open = new Map<string, OpenScratch | undefined>();
  /** Whether all processes in the scratch folders are of an earlier run. A later sweep would also end those of a new job. */
  let canEndProcesses = true;
  const boundaryOf = (root: MediaRoot): Promise<RootBoundary> =>
    openBoundary(rootPath(root), reserved).catch(throwFailure('opening the media root'));

  /** Creates a scratch folder, also if someone has deleted the folder that contains them. */
  const makeIn = async (name: string): Promise<OpenScratch> => {
    try {
      return await makeScratch(scratchParent.folder, name);
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw error;
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

  /** Runs `use` with an open scratch folder; with undefined if there is none. */
  const withScratch = async <T>(text: string, use: (scratch: OpenScratch | undefined) => Promise<T>): Promise<T> => {
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

  const openedScratch = ({ name }: Scratch): OpenScratch => {
    const scratch = open.get(scratchName(name));
    if (scratch === undefined) throw new Error(`The scratch folder ${name} is not open.`);
    return scratch;
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
    statPaths: createPathStats(reserved),

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
      ).catch(throwFailure('measuring the written files')),
    freeBytes: async () => {
      const disks = await Promise.all([mediaRoot, scratchParent.folder.pathOf('.')].map((path) => statfs(path))).catch(
        throwFailure('reading the free disk space'),
      );
      return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
    },
    discard: async ({ name: text }) => {
      const name = scratchName(text);
      const used = open.get(name);
      try {
        if (used !== undefined) await removeIn(scratchParent.folder, name);
        else
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
    sweep: (readLive) => {
      const ending = canEndProcesses ? { endProcessesIn } : {};
      canEndProcesses = false;
      return withScratchParents((parents) =>
        sweep({ scratchParents: parents, isOpen: (name) => open.has(name), ...ending, log }, readLive),
      );
    },

    stageFile: async (root, path, logical) => asStaged(await stageFile(await boundaryOf(root), { path, logical })),
    stage: async (root, scratch, inputs, output) =>
      (await stage(await boundaryOf(root), openedScratch(scratch).folder.sharedPath(), inputs, output)).map(asStaged),
    scratchFolder: ({ name }) =>
      open.get(name)?.folder.sharedPath() ?? join(scratchParent.folder.real, scratchName(name)),
    mounts: (inputs) => inputs.map(asLocal),

    prepare: async (root, scratch, output, main, inputs) =>
      prepareOutputs(
        { fileMode, failpoint },
        await boundaryOf(root),
        openedScratch(scratch),
        output,
        main,
        inputs.map(asLocal),
      ),
    publish: async (intent) => {
      const list = readIntent(intent);
      return withScratch(intent.scratch, (scratch) => publish(failpoint, scratch?.folder, list)).catch(
        throwFailure('opening the scratch folder'),
      );
    },
    unpublish: async (intent) => {
      const list = readIntent(intent);
      await withScratch(intent.scratch, (scratch) => unpublish(scratch?.folder, list)).catch(
        throwFailure('opening the scratch folder'),
      );
    },
    removeOutputs: async (root, outputs) => removeOutputs(await boundaryOf(root), outputs),
    close: async () => {
      for (const scratch of open.values()) await scratch?.close();
      await scratchParent.folder.close();
    },
  };
}

/** Warns if other users may write to the media root: they can move any file in it, and the folder of the service. */
async function warnOfOtherWriters(mediaRoot: string, log: MediaLog): Promise<void> {
  const { mode } = await stat(mediaRoot);
  if ((mode & 0o022) !== 0)
    log.warn({ mediaRoot, mode: (mode & 0o7777).toString(8) }, 'other users can write to the media root');
}

const throwFailure =
  (action: string) =>
  (error: unknown): never => {
    throw storageFailure(action, error);
  };

const asStaged = (input: LocalInput): StagedInput => input as unknown as StagedInput;
const asLocal = (input: StagedInput): LocalInput => input as unknown as LocalInput;
