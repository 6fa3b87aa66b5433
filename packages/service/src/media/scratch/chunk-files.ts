import { copyFile, link as linkFile, readdir, rename, rm, unlink } from 'node:fs/promises';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import { JobFailed } from '@telecine/contract/domain/failure.ts';
import type { ChunkFiles } from '../../jobs/ports/chunk-files.ts';
import { TargetError } from '../errno-codes.ts';
import { storageFailure } from '../job-failures.ts';
import { type DirectoryHandle, openEntry, READ_FLAGS } from './directory-handle.ts';
import { withPass } from './pass-folder.ts';
import { type MediaLog, openServiceFolder, scratchName } from './scratch.ts';
import type { ScratchFolders } from './scratch-folders.ts';

export interface ChunkFilesOptions {
  /** The chunks are on the disk of this folder: an absolute path without symlinks. */
  readonly folder: string;
  /** Contains the chunks if `folder` is not writable, unless `isShared`. */
  readonly dataDir: string;
  /** Whether other machines read the chunks, so that they must be on the disk of `folder`. */
  readonly isShared: boolean;
  /** The name of the folder with the chunks. All services that share a database have the same. */
  readonly name: string;
  readonly folders: Pick<ScratchFolders, 'opened'>;
  readonly log: MediaLog;
}

/** Stores chunks in a folder next to the scratch folders, so that a link or a rename stores a chunk without copying it. */
export function chunkFilesOnDisk(options: ChunkFilesOptions): ChunkFiles {
  const { folders, log } = options;

  const withStore = async <T>(use: (store: DirectoryHandle) => Promise<T>): Promise<T> => {
    try {
      const { folder, fallback } = await openServiceFolder(options.folder, options.dataDir, options.name);
      if (fallback === undefined || !options.isShared) return await use(folder).finally(folder.close);
      await folder.close();
      throw fallback;
    } catch (error) {
      throw error instanceof JobFailed ? error : storageFailure('storing a chunk', error);
    }
  };

  return {
    keep: (scratch, name, id) =>
      withStore((store) =>
        withPass(folders, scratch, async (pass) => {
          const path = pass.pathOf(scratchName(name));
          // ffmpeg may have been taken over: store only a file, and no link to one.
          await using file = await openEntry(path, READ_FLAGS, pass.isLocal);
          const stats = await file.stats();
          if (!stats.isFile() || stats.nlink > 1n) throw new TargetError('special', name);
          await file.sync();
          await rename(path, store.pathOf(scratchName(id))).catch(async (error) => {
            if (errnoOf(error) !== 'EXDEV') throw error;
            await copyDurably(path, store.pathOf(scratchName(id)), store.isLocal);
            await unlink(path);
          });
          await store.sync();
          return Number(stats.size);
        }),
      ),

    link: (scratch, id, name) =>
      withStore((store) =>
        withPass(folders, scratch, async (pass) => {
          const [from, to] = [store.pathOf(scratchName(id)), pass.pathOf(scratchName(name))];
          await rm(to, { force: true });
          try {
            await linkFile(from, to);
          } catch (error) {
            const errno = errnoOf(error);
            if (errno === 'ENOENT') return false;
            if (errno !== 'EXDEV' && !NO_LINK.has(errno)) throw error;
            await copyFile(from, to);
          }
          return true;
        }),
      ),

    remove: (ids) =>
      withStore(async (store) => {
        for (const id of ids) await unlink(store.pathOf(scratchName(id))).catch(ignoreErrno('ENOENT'));
      }),

    sweep: (readLive) =>
      withStore(async (store) => {
        const names = await readdir(store.pathOf('.'));
        if (names.length === 0) return;
        const live = await readLive();
        for (const name of names)
          if (!live.has(name))
            await unlink(store.pathOf(name)).catch((err) =>
              log.warn({ err, name }, 'chunk of an earlier job not removed'),
            );
      }),
  };
}

/** Copies a file to another disk. `isLocal`: the other disk is local. */
async function copyDurably(from: string, to: string, isLocal: boolean): Promise<void> {
  await copyFile(from, to);
  await using copy = await openEntry(to, READ_FLAGS, isLocal);
  await copy.sync();
}
