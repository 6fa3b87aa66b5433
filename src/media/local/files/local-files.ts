import { mkdir, realpath } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { MediaRoot } from '../../../domain/media-root.ts';
import { Problem } from '../../../domain/problem.ts';
import type { FileStore } from '../../../files/ports.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';
import { listScratchNames, type MediaLog, openOtherFolders, openServiceFolder } from '../../scratch/scratch.ts';
import { serviceKey } from '../../scratch/service-key.ts';
import { openBoundary, type RootBoundary, reservedPaths } from '../paths/root-boundary.ts';
import { rootPath } from '../root.ts';
import { listFolder } from './list-folder.ts';
import { openFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';
import { removeFolder } from './remove-folder.ts';
import { removeUploads, sweepUploads } from './sweep-uploads.ts';
import { beginUpload, type UploadDeps } from './upload-session.ts';

export interface LocalFilesOptions {
  /** The service's media root. Incomplete uploads are stored on its disk. */
  readonly mediaRoot: string;
  /** The data folder, which the caller has locked. Stores incomplete uploads if the media root cannot. */
  readonly dataDir: string;
  /** See `LocalMediaOptions`. */
  readonly reserved: readonly string[];
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

/** The local file store. */
export interface LocalFiles extends FileStore {
  /**
   * Removes the incomplete uploads of services that have ended. Call it every hour: it also shows other services of the
   * media root that this one has not.
   */
  sweep(): Promise<void>;
  /** Closes the folder that it holds open. */
  close(): Promise<void>;
}

/**
 * Creates the file store for local disks and mounted network disks. Removes the incomplete uploads of an earlier run.
 */
export async function localFiles(options: LocalFilesOptions): Promise<LocalFiles> {
  const { minFreeBytes, log } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  let uploadDir = await openUploadDir(mediaRoot, options.dataDir);
  await removeUploads(uploadDir, await listScratchNames(uploadDir), log);
  /** Opens the folder for uploads again if someone has deleted it. */
  const currentUploadDir = async (): Promise<DirectoryHandle> => {
    if ((await uploadDir.stats()).nlink > 0n) return uploadDir;
    await uploadDir.close();
    uploadDir = await openUploadDir(mediaRoot, options.dataDir);
    return uploadDir;
  };
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const oneAtATime = pLimit(1);
  const uploads: UploadDeps = {
    fileMode: 0o666 & ~process.umask(),
    failpoint: () => {},
    uploadDir: currentUploadDir,
    minFreeBytes,
    oneAtATime,
    log,
  };
  const boundaryOf = (root: MediaRoot): Promise<RootBoundary> =>
    openBoundary(rootPath(root), reserved).catch((cause: unknown) => {
      throw new Problem('STORAGE_FAULT', 'The media root cannot be opened. Ask the operator to check it.', { cause });
    });
  return {
    open: async (root, path) => openFile(await boundaryOf(root), path),
    beginUpload: async (root, path, upload) => beginUpload(uploads, await boundaryOf(root), path, upload),
    remove: async (root, path, check) => removeFile(oneAtATime, await boundaryOf(root), path, check),
    removeFolder: async (root, path) => removeFolder(oneAtATime, await boundaryOf(root), path),
    list: async (root, query) => listFolder(await boundaryOf(root), query),
    sweep: async () => {
      const isUploads = (name: string): boolean => name.startsWith(UPLOADS);
      const own = await currentUploadDir();
      const others = await openOtherFolders(mediaRoot, options.dataDir, own, isUploads);
      await sweepUploads(own, others, log).finally(() => Promise.all(others.map((folder) => folder.close())));
    },
    close: () => uploadDir.close(),
  };
}

/** The start of the names of folders for uploads. */
const UPLOADS = 'uploads-';

/**
 * Opens the folder for incomplete uploads, next to that for scratch folders of jobs. Each data folder has its own,
 * because services that run no jobs may share a media root and must not remove each other's uploads.
 */
async function openUploadDir(mediaRoot: string, dataDir: string): Promise<DirectoryHandle> {
  await mkdir(dataDir, { recursive: true });
  return (await openServiceFolder(mediaRoot, dataDir, `${UPLOADS}${await serviceKey(dataDir)}`)).folder;
}
