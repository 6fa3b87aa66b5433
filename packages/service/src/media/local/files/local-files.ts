import { realpath, statfs } from 'node:fs/promises';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileStore, UploadParts } from '../../../files/ports.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';
import { openServiceFolder } from '../../scratch/scratch.ts';
import { diskReads, type MediaDisks, mediaDisks } from '../paths/media-disks.ts';
import { openBoundary, type RootBoundary, reservedPaths, rootPath } from '../paths/root-boundary.ts';
import { listBin, pathInBin, purgeFromBin } from './bin.ts';
import { changeQueues } from './change-queues.ts';
import { listFolder } from './list-folder.ts';
import { listTree, walk } from './list-tree.ts';
import { createFolder, move, remove, restoreFromBin } from './move.ts';
import { openFile } from './open-file.ts';
import { searchTree } from './search-tree.ts';
import { localParts } from './upload-parts.ts';

export interface LocalFilesOptions {
  /** The service's media root. Incomplete uploads are stored on its disk. */
  readonly mediaRoot: string;
  /** The data folder, which the caller has locked. Contains incomplete uploads if the media root is not writable. */
  readonly dataDir: string;
  /** See `LocalMediaOptions.reserved`. */
  readonly reserved: readonly string[];
  readonly minFreeBytes: number;
  /** Shared with the media engine. Default: its own. */
  readonly disks?: MediaDisks;
  /** The id of the database. All services with this database share the uploads. */
  readonly installationId: string;
}

export interface LocalFiles extends FileStore {
  readonly parts: UploadParts;
  close(): Promise<void>;
}

/** Creates the file store for local disks and mounted network disks. */
export async function localFiles(options: LocalFilesOptions): Promise<LocalFiles> {
  const { minFreeBytes, disks = mediaDisks() } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  const ownDisks = diskReads(disks, mediaRoot, await disks.isLocal(mediaRoot));
  const onOwnDisk: CallDisk = (call) => ownDisks.call(mediaRoot, call);
  const uploadDir = holdOpen(
    onOwnDisk,
    async () => (await openServiceFolder(mediaRoot, options.dataDir, uploadDirName(options.installationId))).folder,
  );
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const changesOf = changeQueues();
  const boundaryOf = (root: MediaRoot): Promise<RootBoundary> =>
    openBoundary(rootPath(root), reserved, disks).catch((cause: unknown) => {
      if (cause instanceof Problem) throw cause;
      throw new Problem('STORAGE_FAULT', 'The media root cannot be opened. Ask the operator to check it.', { cause });
    });
  const parts = localParts({
    fileMode: 0o666 & ~process.umask(),
    failpoint: () => {},
    linkable: new Set<string>(),
    minFreeBytes,
    changesOf,
    boundaryOf,
    folder: uploadDir.current,
  });
  return {
    parts,
    open: async (root, path) => openFile(await boundaryOf(root), path),
    remove: async (root, path, options = {}) => remove(changesOf(options.by), await boundaryOf(root), path, options),
    move: async (root, from, to, options) => move(changesOf(options.by), await boundaryOf(root), from, to, options),
    createFolder: async (root, path, by) => createFolder(changesOf(by), await boundaryOf(root), path),
    binOf: async () => 'folder',
    freeBytes: async (root) => {
      const boundary = await boundaryOf(root);
      const { bavail, bsize } = await boundary.disks.call(boundary.root, () => statfs(boundary.root));
      return bavail * bsize;
    },
    listBin: async (root) => listBin(await boundaryOf(root)),
    pathInBin: async (root, entryId) => pathInBin(await boundaryOf(root), entryId),
    restoreFromBin: async (root, entryId, to, by) => restoreFromBin(changesOf(by), await boundaryOf(root), entryId, to),
    purgeFromBin: async (root, entryId) => purgeFromBin(changesOf(), await boundaryOf(root), entryId),
    walk: async function* (root, folder, signal) {
      yield* walk(await boundaryOf(root), folder, signal);
    },
    list: async (root, query) => listFolder(await boundaryOf(root), query),
    search: async (root, query, signal) => searchTree(await boundaryOf(root), query, signal),
    listTree: async (root, folder, most, signal, withoutLinks) =>
      listTree(await boundaryOf(root), folder, { most, signal, withoutLinks }),
    close: uploadDir.close,
  };
}

type CallDisk = <T>(call: () => Promise<T>) => Promise<T>;

/**
 * Returns access to a folder that is opened at the first use and then stays open. `current` opens the folder again if
 * it was deleted, and throws UNAVAILABLE if its disk does not reply.
 */
function holdOpen(onDisk: CallDisk, open: () => Promise<DirectoryHandle>) {
  let opened: Promise<DirectoryHandle> | undefined;
  const reopen = (): Promise<DirectoryHandle> => {
    const opening = open();
    opened = opening;
    opening.catch(() => {
      opened = undefined;
    });
    return opening;
  };
  const findCurrent = async (): Promise<DirectoryHandle> => {
    const before = opened;
    const folder = await (before ?? reopen());
    if ((await folder.stats()).nlink > 0n) return folder;
    // While this call looked at the folder, another call may have opened it again.
    if (opened !== before) return opened ?? reopen();
    const again = reopen();
    await folder.close();
    return again;
  };
  return {
    current: () => onDisk(findCurrent),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

const uploadDirName = (installationId: string): string =>
  `resumable-${installationId.replaceAll('-', '').slice(0, 16)}`;
