import type { BigIntStats } from 'node:fs';
import { link, lstat, readdir, rename, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { errnoOf, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { fileNotFound, folderNotFound, notAFile, outsideRoot } from '../../file-problems.ts';
import { type DirectoryHandle, openDirectory } from '../../scratch/directory-handle.ts';
import { factsOf, fingerprintOf, hasStableInodes, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget } from '../publish/target.ts';

/** The path of an entry in an open folder, and the folder, which is flushed to disk after a change. */
export interface Entry {
  readonly folder: DirectoryHandle;
  readonly path: string;
}

/** An entry that exists. Dispose of it in the end: its folder is open. */
export interface FoundEntry extends Entry, AsyncDisposable {
  /** The stats of the entry itself. */
  readonly own: BigIntStats;
  /** The stats of the file to which a symlink leads, or else the same ones. */
  readonly stats: BigIntStats;
  /** Throws if the entry may not be changed. Called right before or after a change with its stats then: another program may have replaced it. */
  readonly checkAgain: (now: BigIntStats) => void;
}

export const hostPathOf = ({ folder, path }: Entry): string => join(folder.real, path.slice(folder.pathOf('').length));

/**
 * Opens the folder of the file or symlink at a path of a client, or, if `isFolder`, of the folder there, which is not a symlink and not a reserved
 * path. `check`: called with the file, or the one to which a symlink leads. Throws its errors, and those of `statTarget` and of the file system.
 */
export async function findEntry(
  boundary: RootBoundary,
  path: MediaPath,
  { isFolder = false, check }: { readonly isFolder?: boolean; readonly check?: FileCheck | undefined },
): Promise<FoundEntry> {
  const gone = isFolder ? folderNotFound(path) : fileNotFound(path);
  const { real, missing, name } = await findPublishTarget(boundary, path).catch((error: unknown) => {
    throw isFolder && error instanceof TargetError && error.conflict === 'below-file' ? gone : error;
  });
  if (missing.length > 0) throw gone;
  const folder = await openDirectory(real);
  try {
    const entry = { folder, path: folder.pathOf(name) };
    const own = await lstatIfExists(entry.path);
    if (own === undefined || (isFolder && !own.isDirectory())) throw gone;
    if (isFolder && boundary.isReserved?.(hostPathOf(entry), true) === true) throw outsideRoot();
    const { stats } = isFolder ? { stats: own } : await statTarget(boundary, path);
    if (stats === undefined) throw gone;
    check?.(factsOf(path, stats));
    const checkAgain = (now: BigIntStats): void => {
      if (now.isDirectory() !== isFolder) throw isFolder ? gone : notAFile(path);
      if (fingerprintOf(now) !== fingerprintOf(own)) check?.(factsOf(path, now));
    };
    return { ...entry, own, stats, checkAgain, [Symbol.asyncDispose]: folder.close };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

type Moved = Entry & Pick<FoundEntry, 'own' | 'checkAgain'>;

const checkNow = async ({ path, checkAgain }: Moved): Promise<void> => checkAgain(await lstat(path, { bigint: true }));

/** Deletes a file or symlink. */
export async function removeEntry(source: Moved): Promise<void> {
  await checkNow(source);
  await unlink(source.path);
  await source.folder.sync();
}

/** Replaces what is at `target`, so that its path is never without a file. */
export async function moveOver(source: Moved, target: Entry): Promise<void> {
  await checkNow(source);
  const old = await lstatIfExists(target.path);
  await rename(source.path, target.path);
  // A rename of one hard link of a file over another one does nothing. Both paths can also mean one name, as on a disk that ignores case.
  if (old !== undefined && old.nlink > 1n && hasStableInodes(old.dev) && isSameFile(old, source.own)) {
    const left = await lstatIfExists(source.path);
    const hasName = (await readdir(source.folder.pathOf('.'))).includes(basename(source.path));
    if (hasName && left !== undefined && isSameFile(left, old)) await unlink(source.path);
  }
  await target.folder.sync();
  await source.folder.sync();
}

/**
 * Moves a file or folder to a free name. Resolves to false if the name is taken. A file has both names for a moment, so that this never replaces
 * anything. What cannot have two names, such as a folder, is moved by a rename right after a check of the name.
 */
export async function moveEntry(source: Moved, target: Entry): Promise<boolean> {
  try {
    await link(source.path, target.path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
    if ((await lstatIfExists(target.path)) !== undefined) return false;
    await moveOver(source, target);
    return true;
  }
  // Flush the new name first: after a crash of the machine, the file has at least one name.
  await target.folder.sync();
  const [made, old] = [await lstat(target.path, { bigint: true }), await lstatIfExists(source.path)];
  const hasBothNames = old !== undefined && isSameFile(old, made);
  try {
    source.checkAgain(made);
    // This fails if another program, or another service, has taken the file away. What it has put at the old name stays.
    if (old === undefined || hasBothNames) await unlink(source.path);
  } catch (error) {
    // What another program has put at the new name stays.
    if (hasBothNames || isSameFile(made, source.own)) await unlink(target.path);
    throw error;
  }
  await source.folder.sync();
  return true;
}
