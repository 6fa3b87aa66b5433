import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { foldCase } from './root-boundary.ts';

/** A folder held open, so that a name in it means this very folder even when its path is given to another. */
export interface DirectoryHandle {
  /** Absolute, symlinks resolved, at the moment of opening. */
  readonly real: string;
  /** The path of a name in it, for calls of `node:fs`. */
  at(name: string): string;
  /** Puts the names in it on disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The folder is not, or is no longer, the one that its path named: a symlink was put on the way. */
export class DirectoryMoved extends Error {
  override readonly name = 'FolderMoved';
}

/**
 * Node has no openat(2); Linux's /proc/self/fd gives the same. Elsewhere names go through the path, and what
 * replaces a folder between the check and the use (microseconds) is not caught.
 */
const BY_DESCRIPTOR = existsSync('/proc/self/fd');

/** A path that means the very file of `handle`, even when `path` is given to another. */
export const descriptorPath = (handle: FileHandle, path: string): string =>
  BY_DESCRIPTOR ? `/proc/self/fd/${handle.fd}` : path;

/** Where the open file or folder of `handle` is now, symlinks resolved; `path` is the one that it was opened by. */
export const realPathOf = (handle: FileHandle, path: string): Promise<string> =>
  BY_DESCRIPTOR ? readlink(`/proc/self/fd/${handle.fd}`) : realpath(path);

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Errors of fsync on a folder where the file system has no such thing. */
const NO_FOLDER_SYNC: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM']);

/** Opens the folder at `real`, a path without symlinks. Throws FolderMoved, or what the disk throws. */
export async function openDirectory(real: string): Promise<DirectoryHandle> {
  const handle = await openFolder(real);
  try {
    const now = await realPathOf(handle, real);
    if (foldCase(now) !== foldCase(real)) throw new DirectoryMoved();
    return held(handle, now);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** As `holdFolder`, after making the folders `names`, one inside the other, below `real` where they are missing. */
export async function makeDirectories(real: string, names: readonly string[]): Promise<DirectoryHandle> {
  let folder = await openDirectory(real);
  for (const name of names) {
    const outer = folder;
    try {
      const made = await mkdir(outer.at(name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
          return false;
        },
      );
      if (made) await outer.sync();
      folder = held(await openFolder(outer.at(name)), join(outer.real, name));
    } finally {
      await outer.close();
    }
  }
  return folder;
}

/** A symlink at `path` is refused: FolderMoved. */
async function openFolder(path: string): Promise<FileHandle> {
  try {
    return await open(path, FLAGS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Linux says ENOTDIR, not ELOOP, for a symlink where O_DIRECTORY is asked for too.
    if (code === 'ELOOP' || code === 'ENOTDIR') throw new DirectoryMoved(undefined, { cause: error });
    throw error;
  }
}

const held = (handle: FileHandle, real: string): DirectoryHandle => ({
  real,
  at: (name) => join(descriptorPath(handle, real), name),
  sync: async () => {
    try {
      await handle.sync();
    } catch (error) {
      if (!NO_FOLDER_SYNC.has((error as NodeJS.ErrnoException).code)) throw error;
    }
  },
  close: () => handle.close(),
});
