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
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { descriptorPath } from '@telecine/contract/domain/media-root.ts';
import { TargetError } from '../errno-codes.ts';
import { foldName } from '../file-names.ts';

/** An open folder. Its entries are looked up in the opened folder, even if another folder takes its path. */
export interface DirectoryHandle extends AsyncDisposable {
  /** The absolute path of the folder when it was opened, without symlinks. */
  readonly real: string;
  /** true: the disk of the folder answers in microseconds, so that synchronous reads are allowed. */
  readonly isLocal: boolean;
  /** Returns the path of an entry, for calls of `node:fs`. The name "." means the folder itself. */
  pathOf(name: string): string;
  /**
   * Returns a path of the folder for this process and its child processes. It is valid until `close`, even if the
   * folder is moved.
   */
  sharedPath(): string;
  stats(): Promise<BigIntStats>;
  setMode(mode: number): Promise<void>;
  /** Flushes the entries of the folder to disk (fsync). */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Thrown if a path no longer leads to the folder that was opened, because a part of the path is now a symlink. */
export class DirectoryMoved extends Error {
  override readonly name = 'DirectoryMoved';
}

/** Returns whether an error means that a folder is missing or is no longer at its path. */
export const isGone = (error: unknown): boolean => errnoOf(error) === 'ENOENT' || error instanceof DirectoryMoved;

/** For `.catch(…)`: returns undefined if `isGone(error)`, and throws any other error again. */
export function ignoreGone(error: unknown): undefined {
  if (!isGone(error)) throw error;
}

/**
 * Node has no openat(2). On Linux, paths below /proc/self/fd take its place. On other systems, the path is resolved
 * again, so that a folder that is replaced between check and use is not noticed.
 */
const BY_DESCRIPTOR = existsSync('/proc/self/fd');

/**
 * Returns a path of the open file `handle`. It stays valid if another file takes the place of `path`. (See
 * `BY_DESCRIPTOR`.)
 */
export const pathOfOpen = (handle: Pick<OpenEntry, 'fd'>, path: string): string =>
  BY_DESCRIPTOR ? descriptorPath(handle.fd) : path;

/** Returns the current path of an open file or folder, without symlinks. `path`: its path when it was opened. */
export const realPathOf = (handle: Pick<OpenEntry, 'fd'>, path: string): Promise<string> =>
  BY_DESCRIPTOR ? readlink(descriptorPath(handle.fd)) : realpath(path);

/** Flags for opening a file of a client. O_NONBLOCK: opening a FIFO must not block the service. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Flags for opening a folder, which reject a symlink to a folder. */
export const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

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
 * Opens the nested folder `names` in an open folder, without following symlinks. If `names` is empty, opens the same
 * folder again. Throws DirectoryMoved and file system errors.
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
 * Opens the folder `name` in an open folder, and creates it if it is missing. Only the user of the service gets access
 * to it. Throws an `Error` if it belongs to another user. Throws DirectoryMoved and file system errors.
 */
export async function openPrivate(parent: DirectoryHandle, name: string): Promise<DirectoryHandle> {
  await makeDirectory(parent.pathOf(name), PRIVATE);
  const folder = await openNested(parent, [name]);
  try {
    const { uid, mode } = await folder.stats();
    if (Number(uid) !== process.getuid?.())
      throw new Error(
        `The folder ${folder.real} belongs to another user, so the service does not use it. Remove it, or give it to the user of the service.`,
      );
    if ((Number(mode) & 0o777) !== PRIVATE) await folder.setMode(PRIVATE);
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** The mode of a folder to which only its owner has access. */
const PRIVATE = 0o700;

/** The most folders that are open at the same time to create nested ones. */
const MAX_OPEN = 32;

/** The most folders that one path of a client creates. Each takes a flush of the disk, and a path can have 1,500 names. */
export const MAX_NEW_FOLDERS = 64;

/** Throws a TargetError if too many folders of `path`, a path of a client, are missing. */
export function requireFewFolders(missing: readonly string[], path = missing.join('/')): void {
  if (missing.length > MAX_NEW_FOLDERS) throw new TargetError('new-folders', path);
}

/**
 * Opens the nested folder `names` below `real`. Creates missing folders. Throws the errors of `openDirectory` and of
 * `requireFewFolders`.
 */
export async function makeDirectories(
  real: string,
  names: readonly string[],
  isLocal = false,
): Promise<DirectoryHandle> {
  requireFewFolders(names);
  let folder = await openDirectory(real, isLocal);
  const changed: DirectoryHandle[] = [];
  try {
    for (const name of names) {
      const parent = folder;
      const isNew = await makeDirectory(parent.pathOf(name));
      folder = await openIn(parent, name);
      if (isNew) changed.push(parent);
      else await parent.close();
      // Flush late: a flush takes long, and meanwhile another request could remove a folder that is still empty.
      if (changed.length === MAX_OPEN) await flushAndClose(changed);
    }
    await flushAndClose(changed);
    return folder;
  } catch (error) {
    await folder.close();
    throw error;
  } finally {
    await closeAll(changed);
  }
}

async function flushAndClose(folders: DirectoryHandle[]): Promise<void> {
  await syncAll(folders);
  await closeAll(folders);
}

const closeAll = (folders: DirectoryHandle[]): Promise<unknown> =>
  allEnded(folders.splice(0).map((folder) => folder.close()));

/**
 * Like `Promise.all`, but waits for all calls before it throws the first error. Use it for calls with paths of
 * descriptors: if the descriptor were closed while a call runs, the call would reach the file that gets the same number
 * next.
 */
export async function allEnded<T>(values: readonly (T | Promise<T>)[]): Promise<T[]> {
  const results = await Promise.allSettled(values);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value as T;
  });
}

/** Flushes the entries of each folder to disk. */
export const syncAll = (folders: Iterable<DirectoryHandle>): Promise<unknown> =>
  allEnded([...folders].map((folder) => folder.sync()));

/** Creates a folder. Resolves to false if the path already exists. */
async function makeDirectory(path: string, mode = 0o777): Promise<boolean> {
  try {
    await mkdir(path, mode);
    return true;
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    return false;
  }
}

/** Opens the folder at `path`. Throws DirectoryMoved if `path` is a symlink. */
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
  // Do not use `join`, which would remove a final ".": without it, the path of a descriptor is a symlink.
  pathOf: (name) => `${pathOfOpen(handle, real)}/${name}`,
  sharedPath: () => (BY_DESCRIPTOR ? `/proc/${process.pid}/fd/${handle.fd}` : real),
  stats: () => handle.stats(),
  setMode: (mode) => handle.setMode(mode),
  // Ignore that some file systems do not support fsync on a folder.
  sync: () => handle.sync().catch(ignoreErrno('EINVAL', 'ENOTSUP', 'EISDIR', 'EPERM')),
  close: () => handle.close(),
  [Symbol.asyncDispose]: () => handle.close(),
});

export interface OpenEntry extends AsyncDisposable {
  /** The file descriptor. -1 after `close`. */
  readonly fd: number;
  stats(): Promise<BigIntStats>;
  setMode(mode: number): Promise<void>;
  /** Flushes the file or folder to disk (fsync). */
  sync(): Promise<void>;
  /** Can be called several times. */
  close(): Promise<void>;
}

const CLOSED = -1;
const calls = { setMode: promisify(fchmod), sync: promisify(fsync), close: promisify(close) };

/**
 * An entry on a local disk. Reads are synchronous, which takes a tenth of the processor time of reads in the thread
 * pool. Writes use the thread pool, because they wait for the disk.
 */
class LocalEntry implements OpenEntry {
  fd: number;

  constructor(path: PathLike, flags: number) {
    this.fd = openSync(path, flags);
  }

  async stats(): Promise<BigIntStats> {
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
    // Set this before closing: a later call must not use the number of the descriptor, which another file may get.
    // Calls that are already queued run before the close.
    this.fd = CLOSED;
    if (fd !== CLOSED) await calls.close(fd);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Opens a file or folder. Reads synchronously only on a local disk, because a remote disk may hang for minutes. */
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
