import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaRoot } from '../../../domain/media-root.ts';
import { Problem } from '../../../domain/problem.ts';
import type { FileStore } from '../../../files/ports.ts';
import { openBoundary, type RootBoundary, reservedPaths } from '../paths/root-boundary.ts';
import { rootPath } from '../root.ts';
import { findScratchDirs, type MediaLog, removeScratch } from '../scratch/scratch.ts';
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

/**
 * Creates the file store for local disks and mounted network disks. Removes the incomplete uploads of an earlier run.
 */
export async function localFiles(options: LocalFilesOptions): Promise<FileStore> {
  const { minFreeBytes, log } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  const uploadDir = await makeUploadDir(mediaRoot, options.dataDir);
  await removeUploads(uploadDir, log);
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const oneAtATime = pLimit(1);
  const uploads: UploadDeps = {
    fileMode: 0o666 & ~process.umask(),
    failpoint: () => {},
    uploadDir,
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
  };
}

/**
 * Creates the folder for incomplete uploads, next to the scratch folders of jobs. Each data folder has its own, because
 * services that run no jobs may share a media root and must not remove each other's uploads.
 */
async function makeUploadDir(mediaRoot: string, dataDir: string): Promise<string> {
  const { scratchDirs } = await findScratchDirs(mediaRoot, dataDir);
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  const key = createHash('sha256').update(`${real}:${ino}`).digest('hex').slice(0, 16);
  const uploadDir = join(dirname(scratchDirs[0]), `uploads-${key}`);
  await mkdir(uploadDir, { recursive: true, mode: 0o700 });
  return uploadDir;
}

async function removeUploads(uploadDir: string, log: MediaLog): Promise<void> {
  for (const name of await readdir(uploadDir)) {
    const dir = join(uploadDir, name);
    await removeScratch(dir).catch((err) => {
      log.warn({ err, upload: dir }, 'upload of an earlier run not removed');
    });
  }
}
