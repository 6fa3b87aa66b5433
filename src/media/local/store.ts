import { mkdir, realpath, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { MediaStore, StagedInput } from '../../jobs/ports.ts';
import { storageFailure } from './job-failures.ts';
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
  findScratchDirs,
  listScratchNames,
  type MediaLog,
  makeScratch,
  removeScratch,
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
  /** Files and folders of the service that no client may access; absolute, symlinks resolved. */
  readonly reserved: readonly string[];
  /** Ends all processes that work below `scratchDir`, and resolves when they are gone. */
  readonly endProcessesIn: (scratchDir: string) => Promise<unknown>;
  readonly log: MediaLog;
  /** Called after each step of publishing; tests end the process there. */
  readonly failpoint?: PublishFailpoint;
}

/**
 * Creates the media engine for local disks and mounted network disks. Only one service that runs jobs may use a media
 * root, because the sweep of a second one would delete the scratch folders of the first. The caller must hold the lock.
 */
export async function localMedia(options: LocalMediaOptions): Promise<MediaStore> {
  const { endProcessesIn, log, failpoint = () => {} } = options;
  await mkdir(options.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(options.mediaRoot);
  const { scratchDirs, fallback } = await findScratchDirs(mediaRoot, options.dataDir);
  const [scratchDir] = scratchDirs;
  if (fallback !== undefined)
    log.warn({ err: fallback, scratchDir }, 'scratch folders are outside the media root; publishing may have to copy');
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const fileMode = 0o666 & ~process.umask();
  /** Names of the scratch folders that this process uses. */
  const open = new Set<string>();
  const folderOf = (name: string): string => join(scratchDir, scratchName(name));
  /** Returns the possible paths of a scratch folder, because an earlier start may have used another disk. */
  const foldersOf = (name: string): readonly string[] =>
    open.has(name) ? [folderOf(name)] : scratchDirs.map((dir) => join(dir, scratchName(name)));
  const boundaryOf = (root: MediaRoot): Promise<RootBoundary> =>
    openBoundary(rootPath(root), reserved).catch(throwFailure('opening the media root'));

  return {
    statPaths: createPathStats(reserved),

    openScratch: async (jobId, fence) => {
      const name = `${jobId}.${fence}`;
      const folder = folderOf(name);
      open.add(name);
      try {
        await makeScratch(folder);
        return { name };
      } catch (error) {
        await removeScratch(folder).catch(() => undefined);
        open.delete(name);
        throw storageFailure('creating the scratch folder', error);
      }
    },
    scratchUsage: ({ name }) => scratchUsage(foldersOf(name)),
    freeBytes: async () => {
      const disks = await Promise.all([mediaRoot, scratchDir].map((path) => statfs(path))).catch(
        throwFailure('reading the free disk space'),
      );
      return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
    },
    discard: async ({ name }) => {
      try {
        const [folder, ...earlier] = foldersOf(name);
        if (folder !== undefined) await removeScratch(folder);
        for (const dir of earlier)
          if ((await listScratchNames(dirname(dir))).includes(basename(dir))) await removeScratch(dir);
      } catch (error) {
        throw storageFailure('removing a scratch folder', error);
      } finally {
        open.delete(name);
      }
    },
    sweep: (live) => sweep({ scratchDirs, open, endProcessesIn, log }, live),

    stageFile: async (root, path, logical) => asStaged(await stageFile(await boundaryOf(root), { path, logical })),
    stage: async (root, { name }, inputs, output) =>
      (await stage(await boundaryOf(root), folderOf(name), inputs, output)).map(asStaged),
    scratchFolder: ({ name }) => folderOf(name),
    mounts: (inputs) => inputs.map(asLocal),

    prepare: async (root, { name }, output, main, inputs) =>
      prepareOutputs(
        { fileMode, failpoint },
        await boundaryOf(root),
        folderOf(name),
        output,
        main,
        inputs.map(asLocal),
      ),
    publish: async (intent) => publish(failpoint, readIntent(intent)),
    unpublish: async (intent) => unpublish(readIntent(intent)),
    removeOutputs: async (root, outputs) => removeOutputs(await boundaryOf(root), outputs),
  };
}

const throwFailure =
  (action: string) =>
  (error: unknown): never => {
    throw storageFailure(action, error);
  };

const asStaged = (input: LocalInput): StagedInput => input as unknown as StagedInput;
const asLocal = (input: StagedInput): LocalInput => input as unknown as LocalInput;
