import { createHash } from 'node:crypto';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaRoot } from '../../../domain/media-root.ts';
import { Problem } from '../../../domain/problem.ts';
import type { FileStore } from '../../../files/ports.ts';
import type { DirectoryHandle } from '../paths/directory-handle.ts';
import { openBoundary, type RootBoundary, reservedPaths } from '../paths/root-boundary.ts';
import { rootPath } from '../root.ts';
import { listScratchNames, type MediaLog, openServiceFolder, removeScratch } from '../scratch/scratch.ts';
import { listFolder } from './list-folder.ts';
import { openFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';
import { removeFolder } from './remove-folder.ts';
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

/** The local file store. `close` closes the folder that it holds open. */
export interface LocalFiles extends FileStore {
  close(): Promise<void>;
}

/**
 * Creates the file store for local disks and mounted network disks. Removes the incomplete uploads of an earlier run.
 */
export async function localFiles(options: LocalFilesOptions): Promise<LocalFiles> {
  const { minFreeBytes, log } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  let uploadDir = await openUploadDir(mediaRoot, options.dataDir);
  await removeUploads(uploadDir, log);
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
    close: () => uploadDir.close(),
  };
}

/**
 * Opens the folder for incomplete uploads, next to that for scratch folders of jobs. Each data folder has its own,
 * because services that run no jobs may share a media root and must not remove each other's uploads.
 */
async function openUploadDir(mediaRoot: string, dataDir: string): Promise<DirectoryHandle> {
  await mkdir(dataDir, { recursive: true });
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  const key = createHash('sha256').update(`${real}:${ino}`).digest('hex').slice(0, 16);
  return (await openServiceFolder(mediaRoot, dataDir, `uploads-${key}`)).folder;
}

async function removeUploads(uploadDir: DirectoryHandle, log: MediaLog): Promise<void> {
  for (const name of await listScratchNames(uploadDir))
    await removeScratch(uploadDir, name).catch((err) => {
      log.warn({ err, upload: join(uploadDir.real, name) }, 'upload of an earlier run not removed');
    });
}
