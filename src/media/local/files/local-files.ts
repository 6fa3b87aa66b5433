import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { MediaRoot } from '../../../domain/media-root.ts';
import type { FileStore } from '../../../files/ports.ts';
import type { MediaLog } from '../log.ts';
import { type RootBoundary, reservedPaths } from '../paths/root-boundary.ts';
import { openBoundary } from '../publish/target.ts';
import { rootPath } from '../root.ts';
import { findScratchDirs, removeScratch } from '../scratch/scratch.ts';
import { fileProblem } from './file-problems.ts';
import { listFolder } from './list-folder.ts';
import { openFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';
import { removeFolder } from './remove-folder.ts';
import { beginUpload, type UploadDeps } from './upload-session.ts';

export interface LocalFilesOptions {
  /** The service's media root. Uploads lie on its disk until they are whole. */
  readonly mediaRoot: string;
  /** The caller holds it: no other service that uses it runs. Takes uploads where the media root cannot. */
  readonly dataDir: string;
  /** As of `localMedia`. */
  readonly reserved: readonly string[];
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

/** Clients' files on local disks, or disks that look local. Removes what uploads of an earlier start left. */
export async function localFiles(options: LocalFilesOptions): Promise<FileStore> {
  const { minFreeBytes, log } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  const room = await findRoom(mediaRoot, options.dataDir);
  await sweep(room, log);
  const reserved = reservedPaths(options.reserved, mediaRoot);
  const inTurn = pLimit(1);
  const deps: UploadDeps = {
    reserved,
    fileMode: 0o666 & ~process.umask(),
    failpoint: () => {},
    room,
    minFreeBytes,
    inTurn,
    log,
  };
  const ground = (root: MediaRoot): Promise<RootBoundary> =>
    openBoundary(rootPath(root), reserved).catch((error: unknown) => {
      throw fileProblem('', 'opening the media root', error);
    });
  return {
    open: async (root, path) => openFile(await ground(root), path),
    begin: async (root, path, what) => beginUpload(deps, await ground(root), path, what),
    remove: async (root, path, check) => removeFile(inTurn, await ground(root), path, check),
    removeFolder: async (root, path) => removeFolder(inTurn, await ground(root), path),
    list: async (root, query) => listFolder(await ground(root), query),
  };
}

/**
 * Beside the scratch of jobs. One for each data folder, whose holder alone may take for left over what it finds there:
 * services that run no jobs may share a media root.
 */
async function findRoom(mediaRoot: string, dataDir: string): Promise<string> {
  const { scratchDirs } = await findScratchDirs(mediaRoot, dataDir);
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  const key = createHash('sha256').update(`${real}:${ino}`).digest('hex').slice(0, 16);
  const room = join(dirname(scratchDirs[0]), `uploads-${key}`);
  await mkdir(room, { recursive: true, mode: 0o700 });
  return room;
}

async function sweep(room: string, log: MediaLog): Promise<void> {
  for (const name of await readdir(room)) {
    const dir = join(room, name);
    await removeScratch(dir).catch((err) => {
      log.warn({ err, scratch: dir }, 'An upload of an earlier run could not be removed.');
    });
  }
}
