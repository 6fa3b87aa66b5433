import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';

/** errno codes of a missing file. ESTALE: another computer deleted a file of a network disk. */
export const MISSING: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ESTALE']);

/**
 * errno codes of a path at which another program has put a symlink, a folder or a socket. They are not faults of the
 * storage.
 */
export const REPLACED: ReadonlySet<string> = new Set(['ELOOP', 'EISDIR', 'ENXIO']);

/** errno codes of a process that lacks a permission. */
export const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);

/** errno codes of a failed write that a retry cannot fix: a permission is missing, or the file system is read-only. */
export const UNWRITABLE: ReadonlySet<string> = new Set([...DENIED, 'EROFS']);

/** errno codes of a full disk, of a file on another disk than a folder of the service, and of a folder in which the service cannot write. */
export const UNKEEPABLE: readonly string[] = ['ENOSPC', 'EDQUOT', 'EXDEV', 'EBUSY', 'ENAMETOOLONG', ...UNWRITABLE];

/** errno codes of a network disk whose server is down, and of a FUSE mount whose program has ended. */
export const DISK_DOWN: ReadonlySet<string> = new Set([
  ...['ETIMEDOUT', 'EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETUNREACH', 'ENOTCONN', 'ECONNABORTED'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ESHUTDOWN', 'EREMOTEIO'],
]);

/** errno codes of a name that the file system does not allow. */
export const UNUSABLE_NAME: ReadonlySet<string> = new Set(['ENAMETOOLONG', 'EILSEQ']);

/** Returns a handler for `.catch(…)` that throws `convert(error)`. */
export const rethrow =
  (convert: (error: unknown) => unknown) =>
  (error: unknown): never => {
    throw convert(error);
  };

/** Returns the stats of a file, without following symlinks. Returns undefined if the path does not exist. */
export const lstatIfExists = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch(ignoreErrno('ENOENT'));

/** The reason why no file can be written to a path. */
export type TargetConflict =
  /** Another file is at the path. */
  | 'exists'
  | 'folder'
  /** A device, pipe or socket. */
  | 'special'
  /** The path leaves the media root, or leads to a reserved file. */
  | 'outside'
  /** A folder in the path is a symlink that leads to itself. */
  | 'loop'
  /** One of the folders in the path is a file. */
  | 'below-file'
  /** Too many folders in the path are missing; see `MAX_NEW_FOLDERS`. */
  | 'new-folders'
  /** The storage does not allow a file with this name. */
  | 'name';

/** Thrown if no file can be written to `path`, a path of a client. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly conflict: TargetConflict;
  readonly path: string;

  constructor(conflict: TargetConflict, path: string) {
    super(`${path}: ${conflict}`);
    this.conflict = conflict;
    this.path = path;
  }
}
