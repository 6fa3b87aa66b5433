import {
  type BigIntStats,
  close,
  constants,
  existsSync,
  fchmod,
  fstatSync,
  fsync,
  openSync,
  type PathLike,
  readlinkSync,
} from 'node:fs';
import { mkdir, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { descriptorPath } from '../../domain/media-root.ts';
import { errnoOf } from '../errno-codes.ts';
import { foldName } from '../file-names.ts';

/** An open folder. Names resolve in this folder, even if another folder replaces it at its path. */
export interface DirectoryHandle extends AsyncDisposable {
  /** The absolute path when the folder was opened, symlinks resolved. */
  readonly real: string;
  /** Whether its disk answers in microseconds, so that it may be read synchronously. */
  readonly isLocal: boolean;
  /** Returns the path of a name in the folder, for calls of `node:fs`. The name "." is the folder itself. */
  pathOf(name: string): string;
  /**
   * Returns a path to the folder for this process and the programs that it starts. It stays valid until `close`, even
   * if the folder is moved.
   */
  sharedPath(): string;
  stats(): MaybePromise<BigIntStats>;
  setMode(mode: number): Promise<void>;
  /** Writes the names in the folder to disk (fsync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Thrown if the opened folder is not at the expected path, because a symlink is now part of that path. */
export class DirectoryMoved extends Error {
  override readonly name = 'DirectoryMoved';
}

/**
 * Node has no openat(2). On Linux, paths below /proc/self/fd replace it. Other systems resolve the path again, so a
 * folder that is replaced between check and use (microseconds) goes unnoticed.
 */
const BY_DESCRIPTOR = existsSync('/proc/self/fd');

/** Returns a path to the open file of `handle` that stays valid if another file replaces it at `path`. */
export const pathOfOpen = (handle: Pick<OpenEntry, 'fd'>, path: string): string =>
  BY_DESCRIPTOR ? descriptorPath(handle.fd) : path;

/**
 * Returns the current path of the open file or folder of `handle`, symlinks resolved. `path`: the path it was opened
 * by.
 */
export const realPathOf = (handle: Pick<OpenEntry, 'fd'>, path: string): Promise<string> =>
  BY_DESCRIPTOR ? readlink(descriptorPath(handle.fd)) : realpath(path);

/**
 * Flags for opening a client's file. O_NONBLOCK: if a fifo has replaced the file, the open must not block the service.
 */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Flags for opening a folder. A symlink to a folder cannot be opened with them. */
export const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** errno codes of fsync on a folder if the file system does not support it. */
const NO_DIRECTORY_SYNC: ReadonlySet<string> = new Set(['EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM']);

/** Opens the folder at `real`, a path without symlinks. Throws DirectoryMoved and file system errors. */
export async function openDirectory(real: string, isLocal = false): Promise<DirectoryHandle> {
  const handle = await openWithoutLinks(real, isLocal);
  try {
    const now = isLocal && BY_DESCRIPTOR ? readlinkSync(descriptorPath(handle.fd)) : await realPathOf(handle, real);
    if (foldName(now) !== foldName(real)) throw new DirectoryMoved();
    return toDirectory(handle, now, isLocal);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Opens the nested folder `names` in an open folder, without following symlinks. Without names, opens the open folder again.
 * Throws DirectoryMoved and file system errors.
 */
export async function openNested(
  parent: DirectoryHandle,
  [first = '.', ...others]: readonly string[],
): Promise<DirectoryHandle> {
  let folder = await openIn(parent, first);
  for (const name of others) {
    const upper = folder;
    folder = await openIn(upper, name).finally(upper.close);
  }
  return folder;
}

const openIn = async (parent: DirectoryHandle, name: string): Promise<DirectoryHandle> =>
  toDirectory(await openWithoutLinks(parent.pathOf(name), parent.isLocal), join(parent.real, name), parent.isLocal);

/**
 * Opens the folder `name` in an open folder, which only the service's user may use; creates it if it is missing. Throws
 * an `Error` if it belongs to another user, DirectoryMoved and file system errors.
 */
export async function openPrivate(parent: DirectoryHandle, name: string): Promise<DirectoryHandle> {
  await makeDirectory(parent.pathOf(name), PRIVATE);
  const folder = await openNested(parent, [name]);
  try {
    const { uid, mode } = await folder.stats();
    if (Number(uid) !== process.getuid?.()) throw new Error(`The folder ${folder.real} belongs to another user.`);
    if ((Number(mode) & 0o777) !== PRIVATE) await folder.setMode(PRIVATE);
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The mode of a folder that only the service's user may use. */
const PRIVATE = 0o700;

/** Opens the nested folder `names` below `real`. Creates missing folders. Throws what `openDirectory` throws. */
export async function makeDirectories(
  real: string,
  names: readonly string[],
  isLocal = false,
): Promise<DirectoryHandle> {
  let folder = await openDirectory(real, isLocal);
  const parents: DirectoryHandle[] = [];
  const changed: DirectoryHandle[] = [];
  try {
    for (const name of names) {
      parents.push(folder);
      if (await makeDirectory(folder.pathOf(name))) changed.push(folder);
      folder = await openIn(folder, name);
    }
    // At the end, because a flush takes long, and another request may remove a folder that is still empty.
    for (const parent of changed) await parent.sync();
    return folder;
  } catch (error) {
    if (!parents.includes(folder)) await folder.close();
    throw error;
  } finally {
    await Promise.all(parents.map((parent) => parent.close()));
  }
}

/**
 * Like `Promise.all`, but settles once all have ended; then throws the reason of the first in the list that failed. For calls with
 * paths of open folders, which are closed afterwards: one that has not ended would reach the file or folder that is opened next.
 */
export async function allEnded<T>(values: readonly (T | Promise<T>)[]): Promise<T[]> {
  const results = await Promise.allSettled(values);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value as T;
  });
}

/** Writes the names in each folder to disk. */
export const syncAll = (folders: Iterable<DirectoryHandle>): Promise<unknown> =>
  allEnded([...folders].map((folder) => folder.sync()));

/** Resolves to false if the path exists. */
async function makeDirectory(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Throws DirectoryMoved for a symlink at `path`. */
async function openWithoutLinks(path: string, isLocal: boolean): Promise<OpenEntry> {
  try {
    return await openEntry(path, DIRECTORY_FLAGS, isLocal);
  } catch (error) {
    // With O_DIRECTORY, Linux reports ENOTDIR for a symlink, not ELOOP.
    if (['ELOOP', 'ENOTDIR'].includes(errnoOf(error))) throw new DirectoryMoved(undefined, { cause: error });
    throw error;
  }
}

const toDirectory = (handle: OpenEntry, real: string, isLocal: boolean): DirectoryHandle => ({
  real,
  isLocal,
  // `join` would remove a final ".", without which the path of a descriptor is a symlink.
  pathOf: (name) => `${pathOfOpen(handle, real)}/${name}`,
  sharedPath: () => (BY_DESCRIPTOR ? `/proc/${process.pid}/fd/${handle.fd}` : real),
  stats: () => handle.stats(),
  setMode: (mode) => handle.setMode(mode),
  sync: async () => {
    try {
      await handle.sync();
    } catch (error) {
      if (!NO_DIRECTORY_SYNC.has(errnoOf(error))) throw error;
    }
  },
  close: () => handle.close(),
  [Symbol.asyncDispose]: () => handle.close(),
});

/** An open file or folder. */
export interface OpenEntry extends AsyncDisposable {
  /** The descriptor; -1 once it is closed. */
  readonly fd: number;
  stats(): MaybePromise<BigIntStats>;
  setMode(mode: number): Promise<void>;
  /** Writes it to disk (fsync). */
  sync(): Promise<void>;
  /** Does nothing if it is closed already. */
  close(): Promise<void>;
}

const CLOSED = -1;
const calls = { setMode: promisify(fchmod), sync: promisify(fsync), close: promisify(close) };

/**
 * On a local disk, reads return in microseconds, and take a tenth of the processor time of those through the thread pool. Writes
 * may wait for the disk.
 */
class LocalEntry implements OpenEntry {
  fd: number;

  constructor(path: PathLike, flags: number) {
    this.fd = openSync(path, flags);
  }

  stats(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  setMode(mode: number): Promise<void> {
    return calls.setMode(this.fd, mode);
  }

  sync(): Promise<void> {
    return calls.sync(this.fd);
  }

  async close(): Promise<void> {
    const { fd } = this;
    // No later call gets the number, which soon may be that of another file. Those that have it are in the pool, before this one.
    this.fd = CLOSED;
    if (fd !== CLOSED) await calls.close(fd);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Opens a file or folder. Only on a local disk, it reads synchronously: a remote disk may hang for minutes. */
export async function openEntry(path: PathLike, flags: number, isLocal: boolean): Promise<OpenEntry> {
  if (isLocal) return new LocalEntry(path, flags);
  const handle = await open(path, flags);
  return {
    get fd() {
      return handle.fd;
    },
    stats: () => handle.stat({ bigint: true }),
    setMode: (mode) => handle.chmod(mode),
    sync: () => handle.sync(),
    close: () => handle.close(),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
