import { statfsSync } from 'node:fs';
import { mkdir, realpath, stat, statfs } from 'node:fs/promises';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { MediaStore } from '../../jobs/ports/media-store.ts';
import { rethrow } from '../errno-codes.ts';
import { storageFailure } from '../job-failures.ts';
import { allEnded, type DirectoryHandle } from '../scratch/directory-handle.ts';
import type { MediaLog } from '../scratch/scratch.ts';
import { openScratchFolders, type ScratchFolders, type ScratchOptions } from '../scratch/scratch-folders.ts';
import { asStaged, stagedAs } from '../staged-inputs.ts';
import { diskReads, type MediaDisks, mediaDisks } from './paths/media-disks.ts';
import type { CallOptions } from './paths/remote-calls.ts';
import { openBoundary, type RootBoundary, reservedPaths, rootPath } from './paths/root-boundary.ts';
import { createPathStats } from './paths/stat-paths.ts';
import { prepareOutputs } from './publish/prepare.ts';
import { publish, removeOutputs, unpublish } from './publish/publish.ts';
import { localIntents, type PublishFailpoint } from './publish/publish-state.ts';
import { type LocalInput, stage, stageFile } from './stage.ts';

type DiskCall = <T>(call: () => Promise<T>, options?: CallOptions<T>) => Promise<T>;

/** How long an answer of `isOnMediaDisk` is reused. */
const SAME_DISK_MS = 60_000;

export interface LocalMediaOptions extends Pick<ScratchOptions, 'scratchParents' | 'endProcessesIn' | 'log'> {
  /** The media root of the service, which is created if it is missing. The scratch folders are on its disk. */
  readonly mediaRoot: string;
  /** Contains the scratch folders if the media root is not writable. */
  readonly dataDir: string;
  /** Files and folders of the service that no client may access, as absolute paths without symlinks. */
  readonly reserved: readonly string[];
  /** Default: the types of the file systems decide. Tests use this to treat a local disk as a remote one. */
  readonly disks?: MediaDisks;
  /** Called after each step of publishing. Tests end the process there. */
  readonly failpoint?: PublishFailpoint;
}

/** The local media engine. `close` closes the folders that it keeps open. */
export interface LocalMedia extends MediaStore {
  readonly folders: ScratchFolders;
  close(): Promise<void>;
}

/**
 * Creates the media engine for local disks and mounted network disks. Services that share a media root must share the
 * database, and each needs another name in `scratchParents`: otherwise, the sweep of one service deletes the scratch
 * folders of another.
 */
export async function localMedia(options: LocalMediaOptions): Promise<LocalMedia> {
  const { log, failpoint = () => {}, disks = mediaDisks() } = options;
  await mkdir(options.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(options.mediaRoot);
  const isLocal = await disks.isLocal(mediaRoot);
  const ownDisks = diskReads(disks, mediaRoot, isLocal);
  const folders = await openScratchFolders({ ...options, folder: mediaRoot, isLocal });
  await warnOfOtherWriters(mediaRoot, log);
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const fileMode = 0o666 & ~process.umask();
  const linkable = new Set<string>();
  const boundaryOf = async (root: MediaRoot): Promise<RootBoundary> => {
    try {
      return await openBoundary(rootPath(root), reserved, disks);
    } catch (error) {
      throw storageFailure('opening the media root', error);
    }
  };

  /** Runs a call to the disk of the scratch folders. See `RemoteCalls`. */
  const onScratchDisk: DiskCall = (call, callOptions) => ownDisks.call(folders.parent().real, call, callOptions);

  return {
    folders,
    statPaths: createPathStats(reserved, disks),

    ...folders.space,
    openScratch: (jobId, fence) =>
      onScratchDisk(() => folders.space.openScratch(jobId, fence), { discard: folders.space.discard }).catch(
        rethrow((error) => storageFailure('creating the scratch folder', error)),
      ),
    discardEarlier: async (...scratch) => {
      // The removal may take long, so it has no limit. But it is not begun on a disk that hangs.
      await onScratchDisk(async () => folders.parent().stats()).catch(
        rethrow((error) => storageFailure('removing the scratch folder of an earlier attempt', error)),
      );
      await folders.space.discardEarlier(...scratch);
    },
    ...diskSpaces(mediaRoot, folders, ownDisks, onScratchDisk),
    removeInput: async () => {},
    isCopied: () => false,
    stageFile: async (root, path, logical) => asStaged(await stageFile(await boundaryOf(root), { path, logical })),
    stage: async (root, scratch, inputs, outputs, { signal = NEVER } = {}) => {
      const { folder } = folders.opened(scratch);
      const staging = { dir: folder.sharedPath(), replies: () => onScratchDisk(async () => folder.stats()) };
      return (await stage(await boundaryOf(root), staging, inputs, outputs, signal)).map(asStaged);
    },
    mounts: (inputs) => inputs.map(stagedAs<LocalInput>),

    // Nothing to do: `stage` already stats the outputs, which fails while the server of a network disk is down.
    tryToWrite: async () => {},
    prepare: async (root, scratch, outputs, inputs) =>
      prepareOutputs(
        { fileMode, failpoint, linkable },
        await boundaryOf(root),
        folders.opened(scratch),
        outputs,
        inputs.map(stagedAs<LocalInput>),
      ),
    publish: async (intent) => {
      const list = localIntents.read(intent);
      return folders
        .withScratch(intent.scratch, (scratch) => publish(failpoint, scratch, list))
        .catch((error: unknown) => {
          linkable.clear();
          throw storageFailure('opening the scratch folder', error);
        });
    },
    unpublish: async (intent) => {
      const list = localIntents.read(intent);
      await folders
        .withScratch(intent.scratch, (scratch) => unpublish(scratch, list))
        .catch(rethrow((error) => storageFailure('opening the scratch folder', error)));
    },
    removeOutputs: async (root, outputs) => removeOutputs(await boundaryOf(root), outputs),
    close: folders.close,
  };
}

/** The space of the disks of the media root and of the scratch folders. */
function diskSpaces(
  mediaRoot: string,
  folders: ScratchFolders,
  disks: ReturnType<typeof diskReads>,
  onScratchDisk: DiskCall,
) {
  /** The last answer to whether the scratch folders are on the disk of the media root. A new mount can change it. */
  let sameDisk: { readonly folder: DirectoryHandle; readonly isSame: boolean; readonly untilMs: number } | undefined;
  const isOnMediaDisk = async (folder: DirectoryHandle): Promise<boolean> => {
    if (sameDisk?.folder === folder && performance.now() < sameDisk.untilMs) return sameDisk.isSame;
    const [{ dev }, root] = await Promise.all([
      onScratchDisk(async () => folder.stats()),
      disks.call(mediaRoot, () => stat(mediaRoot, { bigint: true })),
    ]);
    sameDisk = { folder, isSame: dev === root.dev, untilMs: performance.now() + SAME_DISK_MS };
    return sameDisk.isSame;
  };

  return {
    freeBytes: async () => {
      try {
        const scratch = folders.parent();
        const isOneDisk = await isOnMediaDisk(scratch);
        const path = scratch.pathOf('.');
        const spaces = await allEnded([
          scratch.isLocal ? statfsSync(path) : onScratchDisk(() => statfs(path)),
          ...(isOneDisk ? [] : [disks.call(mediaRoot, () => statfs(mediaRoot))]),
        ]);
        return Math.min(...spaces.map(({ bavail, bsize }) => bavail * bsize));
      } catch (error) {
        throw storageFailure('reading the free disk space', error);
      }
    },
    diskSpace: async () => {
      const { blocks, bfree, bavail, bsize } = await disks
        .call(mediaRoot, () => statfs(mediaRoot))
        .catch(rethrow((error) => storageFailure('reading the free disk space', error)));
      return { usedBytes: (blocks - bfree) * bsize, freeBytes: bavail * bsize };
    },
  } satisfies Partial<MediaStore>;
}

/** Warns if other users of the machine can write to the media root, because they could move any file in it. */
async function warnOfOtherWriters(mediaRoot: string, log: MediaLog): Promise<void> {
  const { mode } = await stat(mediaRoot);
  if ((mode & 0o022) !== 0)
    log.warn({ mediaRoot, mode: (mode & 0o7777).toString(8) }, 'other users can write to the media root');
}
