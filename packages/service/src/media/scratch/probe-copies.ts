import { readdir, realpath, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { HOUR_MS } from '@telecine/contract/domain/quantity.ts';
import { v7 as uuid } from 'uuid';
import { type DirectoryHandle, openDirectory, openPrivate } from './directory-handle.ts';
import { type MediaLog, openIfOurs } from './scratch.ts';
import { isUnused, removeEmptyFolder, showUse } from './scratch-folders.ts';

/** The local copy of a file for a probe. It has its path before the file exists. */
export interface ProbeCopy {
  /** The path at which to create the file. This process and its child processes can use it until `remove`. */
  readonly file: string;
  /** Removes the file. Never throws. */
  remove(): Promise<void>;
}

interface ProbeCopiesOptions {
  /**
   * The folder with the scratch folders of this service. The copies are in another folder next to it, where the sweep
   * of scratch folders does not remove them.
   */
  readonly scratchRoot: string;
  /** Returns whether the folder `name` next to `scratchRoot` belongs to another service with the same database. */
  readonly isPeer: (name: string) => boolean;
  readonly log: MediaLog;
}

/**
 * A copy with an older time is from a process that was killed: every hour, a sweep updates the times of the copies in
 * use.
 */
const LEFT_AFTER_MS = 3 * HOUR_MS;

const PREFIX = 'probes-';

export type ProbeCopies = ReturnType<typeof probeCopies>;

/** Creates and removes the local copies of files that probes read from URLs and object stores. */
export function probeCopies({ scratchRoot, isPeer, log }: ProbeCopiesOptions) {
  const own = `${PREFIX}${basename(scratchRoot)}`;
  const inUse = new Set<string>();
  const openParent = async (): Promise<DirectoryHandle> => openDirectory(await realpath(dirname(scratchRoot)));
  const removeFile = (folder: DirectoryHandle, name: string): Promise<void> =>
    rm(folder.pathOf(name), { force: true, recursive: true }).catch((err) =>
      log.warn({ err }, 'copy of a probed file not removed'),
    );

  const sweepOwn = async (folder: DirectoryHandle): Promise<void> => {
    const now = new Date();
    for (const name of await readdir(folder.pathOf('.'))) {
      // Another process of this service may have removed the copy since it was listed.
      const mtimeMs = (await stat(folder.pathOf(name)).catch(ignoreMissing))?.mtimeMs;
      if (mtimeMs === undefined) continue;
      if (inUse.has(name)) await utimes(folder.pathOf(name), now, now).catch(ignoreMissing);
      else if (now.getTime() - mtimeMs > LEFT_AFTER_MS) await removeFile(folder, name);
    }
    await showUse(folder, log);
  };
  const sweepPeer = async (folder: DirectoryHandle): Promise<void> => {
    if (!(await isUnused(folder))) return;
    for (const name of await readdir(folder.pathOf('.'))) await removeFile(folder, name);
    await removeEmptyFolder(folder, log);
  };

  return {
    /**
     * Prepares a new copy: creates its folder, and returns the path for the file. Throws DirectoryMoved and file system
     * errors.
     */
    add: async (): Promise<ProbeCopy> => {
      const parent = await openParent();
      const folder = await openPrivate(parent, own).finally(parent.close);
      const name = uuid();
      inUse.add(name);
      return {
        file: `${folder.sharedPath()}/${name}`,
        remove: async () => {
          await removeFile(folder, name);
          inUse.delete(name);
          await folder.close();
        },
      };
    },
    /**
     * Removes old copies of this service, and all copies of services that no longer run. Call it every hour: it also
     * shows other processes which copies are in use.
     */
    sweep: async (): Promise<void> => {
      await using parent = await openParent();
      for (const name of await readdir(parent.pathOf('.'))) {
        const isOwn = name === own;
        if (!isOwn && !(name.startsWith(PREFIX) && isPeer(name.slice(PREFIX.length)))) continue;
        const folder = await openIfOurs(parent, [name]);
        if (folder !== undefined) await (isOwn ? sweepOwn : sweepPeer)(folder).finally(folder.close);
      }
    },
  };
}

const ignoreMissing = ignoreErrno('ENOENT');
