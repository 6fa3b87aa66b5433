import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pLimit from 'p-limit';
import type { FileStore } from '../../../files/ports.ts';
import type { MediaLog } from '../log.ts';
import { type Ground, offLimits } from '../paths/root-boundary.ts';
import { groundOf } from '../publish/target.ts';
import { discard, findScratchRooms } from '../scratch/scratch.ts';
import { fileFault } from './file-problems.ts';
import { listFolder } from './list-folder.ts';
import { openFile } from './open-file.ts';
import { removeFile } from './remove-file.ts';
import { removeFolder } from './remove-folder.ts';
import { begin, type PendingDeps } from './upload-session.ts';

export interface LocalFilesOptions {
  /** The service's media root. Uploads lie on its disk until they are whole. */
  readonly mediaRoot: string;
  /** The caller holds it: no other service that uses it runs. Takes uploads where the media root cannot. */
  readonly dataDir: string;
  /** As of `localMedia`. */
  readonly own: readonly string[];
  readonly minFreeBytes: number;
  readonly log: MediaLog;
}

/** Clients' files on local disks, or disks that look local. Removes what uploads of an earlier start left. */
export async function localFiles(options: LocalFilesOptions): Promise<FileStore> {
  const { minFreeBytes, log } = options;
  const mediaRoot = await realpath(options.mediaRoot);
  const room = await findRoom(mediaRoot, options.dataDir);
  await sweep(room, log);
  const off = offLimits(options.own, mediaRoot);
  const inTurn = pLimit(1);
  const deps: PendingDeps = {
    offLimits: off,
    fileMode: 0o666 & ~process.umask(),
    at: () => {},
    room,
    minFreeBytes,
    inTurn,
    log,
  };
  const ground = (root: string): Promise<Ground> =>
    groundOf(root, off).catch((error: unknown) => {
      throw fileFault('', 'opening the media root', error);
    });
  return {
    open: async (root, path) => openFile(await ground(root), path),
    begin: async (root, path, what) => begin(deps, await ground(root), path, what),
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
  const { rooms } = await findScratchRooms(mediaRoot, dataDir);
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  const key = createHash('sha256').update(`${real}:${ino}`).digest('hex').slice(0, 16);
  const room = join(dirname(rooms[0]), `uploads-${key}`);
  await mkdir(room, { recursive: true, mode: 0o700 });
  return room;
}

async function sweep(room: string, log: MediaLog): Promise<void> {
  for (const name of await readdir(room)) {
    const dir = join(room, name);
    await discard([room], dir).catch((err) => {
      log.warn({ err, scratch: dir }, 'An upload of an earlier run could not be removed.');
    });
  }
}
