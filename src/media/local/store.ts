import { mkdir, realpath, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaStore, StagedInput } from '../../jobs/ports.ts';
import { storageFault } from './errors.ts';
import type { Failpoint } from './failpoints.ts';
import type { MediaLog } from './log.ts';
import { reservedPaths } from './paths/root-boundary.ts';
import { createPathStats } from './paths/stat-paths.ts';
import { readIntent } from './publish/intent.ts';
import { prepareOutputs } from './publish/prepare.ts';
import { publish } from './publish/publish.ts';
import { removeOutputs } from './publish/remove-outputs.ts';
import { openBoundary } from './publish/target.ts';
import { unpublish } from './publish/unpublish.ts';
import { rootPath } from './root.ts';
import { findScratchDirs, makeScratch, removeScratch, scratchName } from './scratch/scratch.ts';
import { scratchUsage } from './scratch/scratch-usage.ts';
import { sweep } from './scratch/sweep.ts';
import type { LocalInput } from './staging/local-input.ts';
import { stage, stageFile } from './staging/stage.ts';

export interface LocalMediaOptions {
  /** The service's media root; created where it is missing. Scratch folders are on its disk. */
  readonly mediaRoot: string;
  /** Holds the scratch folders where the media root cannot. */
  readonly dataDir: string;
  /** Files and folders of the service that no client may reach; absolute, symlinks resolved. */
  readonly reserved: readonly string[];
  /** Ends all processes that work in `scratchRoot`, and resolves when they are gone. */
  readonly endProcessesIn: (scratchRoot: string) => Promise<unknown>;
  readonly log: MediaLog;
  /** Called at each step of publishing; tests end the process there. */
  readonly failpoint?: Failpoint;
}

/**
 * The media engine for local disks, and for disks that look local. Only one service that runs jobs may use a media root:
 * the sweep of a second one would delete the scratch folders of the first. The caller locks them before.
 */
export async function localMedia(options: LocalMediaOptions): Promise<MediaStore> {
  const { endProcessesIn, log, failpoint = () => {} } = options;
  await mkdir(options.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(options.mediaRoot);
  const { scratchDirs, fallback } = await findScratchDirs(mediaRoot, options.dataDir);
  const [scratchDir] = scratchDirs;
  if (fallback !== undefined)
    log.warn({ err: fallback, scratch: scratchDir }, 'scratch is outside the media root; publishing may have to copy');
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const fileMode = 0o666 & ~process.umask();
  /** Names of the scratch folders that this process works in. */
  const open = new Set<string>();
  const folderOf = (name: string): string => join(scratchDir, scratchName(name));
  /** Where a scratch folder may be: an earlier start may have used another disk. */
  const foldersOf = (name: string): readonly string[] =>
    open.has(name) ? [folderOf(name)] : scratchDirs.map((dir) => join(dir, scratchName(name)));

  return {
    statPaths: createPathStats(reserved),

    openScratch: async (jobId, fence) => {
      const name = `${jobId}.${fence}`;
      open.add(name);
      try {
        await makeScratch(folderOf(name));
        return { name };
      } catch (error) {
        await removeScratch(folderOf(name)).catch(() => undefined);
        open.delete(name);
        throw error;
      }
    },
    scratchUsage: ({ name }) => scratchUsage(foldersOf(name)),
    freeBytes: async () => {
      try {
        const disks = await Promise.all([mediaRoot, scratchDir].map((path) => statfs(path)));
        return Math.min(...disks.map(({ bavail, bsize }) => bavail * bsize));
      } catch (error) {
        throw storageFault('reading the free disk space', error);
      }
    },
    discard: async ({ name }) => {
      try {
        for (const folder of foldersOf(name)) await removeScratch(folder);
      } finally {
        open.delete(name);
      }
    },
    sweep: (live) => sweep({ scratchDirs, open, endProcessesIn, log }, live),

    stageFile: async (root, path, logical) =>
      asStaged(await stageFile(await openBoundary(rootPath(root), reserved), { path, logical })),
    stage: async (root, { name }, inputs, output) => {
      const boundary = await openBoundary(rootPath(root), reserved);
      return (await stage(boundary, folderOf(name), inputs, output)).map(asStaged);
    },
    scratchFolder: ({ name }) => folderOf(name),
    mounts: (inputs) => inputs.map(asLocal),

    prepare: (root, { name }, output, main, inputs) =>
      prepareOutputs(
        { reserved, fileMode, failpoint },
        rootPath(root),
        folderOf(name),
        output,
        main,
        inputs.map(asLocal),
      ),
    publish: async (intent) => publish(failpoint, readIntent(intent)),
    unpublish: async (intent) => unpublish(readIntent(intent)),
    removeOutputs: (root, outputs) => removeOutputs(reserved, rootPath(root), outputs),
  };
}

const asStaged = (input: LocalInput): StagedInput => input as unknown as StagedInput;
const asLocal = (input: StagedInput): LocalInput => input as unknown as LocalInput;
