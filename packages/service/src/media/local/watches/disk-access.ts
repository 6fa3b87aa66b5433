import { type BigIntStats, type Dir, type Dirent, lstatSync, opendirSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { FolderUnreachable, type FoundFile } from '../../../watches/ports.ts';
import { type DirectoryHandle, openDirectory } from '../../scratch/directory-handle.ts';
import { hasStableInodes } from '../paths/file-facts.ts';
import { NAMES_AT_A_TIME, readNames } from '../paths/read-names.ts';
import {
  askLater,
  askNow,
  type DiskAnswer,
  type DiskQuery,
  type ResolvedPath,
  resolveBy,
} from '../paths/resolve-symlinks.ts';
import type { DiskCalls } from './disk-calls.ts';

/** An open folder of which the names are read. */
export interface OpenFolder extends AsyncDisposable {
  readonly real: string;
  readonly stats: BigIntStats;
  pathOf(name: string): string;
  /** Reads the next names. Empty at the end. */
  names(): MaybePromise<readonly Dirent[]>;
}

/** Reads a disk for scans. Throws file system errors. */
export interface DiskAccess {
  /** Returns the stats of a path without following symlinks. undefined: it does not exist. */
  lstat(path: string): MaybePromise<BigIntStats | undefined>;
  /**
   * Follows symlinks in the media root, also to other disks. A file on another disk that does not answer counts as missing: the folder itself
   * can be read.
   */
  resolve(path: string): MaybePromise<ResolvedPath>;
  /** Opens the folder at `real`, a path without symlinks. Throws `DirectoryMoved`. */
  open(real: string): Promise<OpenFolder>;
}

const statsOf = (path: string): BigIntStats | undefined => lstatSync(path, { bigint: true, throwIfNoEntry: false });
const statsLater = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch(ignoreErrno('ENOENT'));

/** Where a scan reads, and how it reaches other disks. */
export interface AccessDeps {
  /** The absolute path of the media root, without symlinks. */
  readonly root: string;
  /** The absolute path of the watched folder, without symlinks. */
  readonly top: string;
  readonly calls: DiskCalls;
  /** See `diskOf`. */
  readonly diskOf: (path: string) => string;
  /** Whether the disk of a path can be read synchronously. */
  readonly isLocal: (path: string) => boolean;
}

/** @param askTop Answers queries about the watched folder and what is in it. */
function resolveWith(
  { root, top, calls, diskOf, isLocal }: AccessDeps,
  askTop: (query: DiskQuery) => MaybePromise<DiskAnswer>,
): DiskAccess['resolve'] {
  const own = diskOf(top);
  /** The disks that have not answered in this scan. They are not asked again: each call would take the whole time limit. */
  const hung = new Set<string>();
  const ask = (query: DiskQuery): MaybePromise<DiskAnswer> => {
    const { path } = query;
    if (path === top || path.startsWith(`${top}/`)) return askTop(query);
    if (isLocal(path)) return askNow(query);
    const disk = diskOf(path);
    if (disk === own) return calls.run(disk, () => askLater(query));
    if (hung.has(disk)) return undefined;
    return calls
      .run(disk, () => askLater(query))
      .catch((error: unknown) => {
        if (!(error instanceof FolderUnreachable)) throw error;
        hung.add(disk);
        return undefined;
      });
  };
  return (path) => resolveBy(root, path.split('/'), ask);
}

/**
 * Reads a local disk synchronously, which takes a tenth of the processor time. If `isSlow`, the disk takes so long that others would have to
 * wait: then stats use the thread pool.
 */
export const localAccess = (deps: AccessDeps, isSlow: () => boolean): DiskAccess => ({
  lstat: (path) => (isSlow() ? statsLater(path) : statsOf(path)),
  resolve: resolveWith(deps, askNow),
  open: async (real) => {
    const folder = await openDirectory(real, true);
    try {
      const stats = await folder.stats();
      const names = opendirSync(folder.pathOf('.'), { bufferSize: NAMES_AT_A_TIME });
      return {
        ...{ real, stats, pathOf: folder.pathOf },
        names: () => readBatchNow(names),
        [Symbol.asyncDispose]: async () => {
          names.closeSync();
          await folder.close();
        },
      };
    } catch (error) {
      await folder.close();
      throw error;
    }
  },
});

/** Reads a disk that could hang. */
export function remoteAccess(deps: AccessDeps): DiskAccess {
  const { calls } = deps;
  const disk = deps.diskOf(deps.top);
  return {
    lstat: (path) => calls.run(disk, () => statsLater(path)),
    resolve: resolveWith(deps, (query) => calls.run(disk, () => askLater(query))),
    open: (real) =>
      calls.run(
        disk,
        async () => {
          const folder = await openDirectory(real);
          try {
            const stats = await folder.stats();
            const names = await opendir(folder.pathOf('.'), { bufferSize: NAMES_AT_A_TIME });
            return {
              ...{ real, stats, pathOf: folder.pathOf },
              names: () => calls.run(disk, () => readNames(names)),
              // Nobody waits for a disk that hangs. A call that was abandoned may have a path with the descriptor, so close it later.
              [Symbol.asyncDispose]: async () => void calls.ended().then(() => closeBoth(names, folder)),
            };
          } catch (error) {
            await folder.close();
            throw error;
          }
        },
        (late) => late[Symbol.asyncDispose](),
      ),
  };
}

function readBatchNow(names: Dir): readonly Dirent[] {
  const batch: Dirent[] = [];
  while (batch.length < NAMES_AT_A_TIME) {
    const next = names.readSync();
    if (next === null) break;
    batch.push(next);
  }
  return batch;
}

const closeBoth = (names: Dir, folder: DirectoryHandle): Promise<void> =>
  names
    .close()
    .catch(() => undefined)
    .then(() => folder.close())
    .catch(() => undefined);

/**
 * The version has no inode number, so that a file that was copied to a new disk, with its time, is the same. The key has no device number,
 * which a restart or a mount can change.
 */
export const toFound = (path: MediaPath, { dev, ino, size, mtimeNs }: BigIntStats): FoundFile => ({
  path,
  bytes: Number(size),
  version: `${size}:${mtimeNs}`,
  ...(hasStableInodes(dev) && { fileKey: `${ino}` }),
  isWhole: false,
});

/** errno codes of one file or folder that the service cannot read, or that is gone. They say nothing about the storage. */
export const OF_ONE: ReadonlySet<string> = new Set([
  ...['ENOENT', 'ENOTDIR', 'ESTALE', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'EOVERFLOW'],
]);
