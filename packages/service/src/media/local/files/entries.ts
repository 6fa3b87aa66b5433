import type { BigIntStats } from 'node:fs';
import { link, lstat, open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { fileNotFound, folderNotFound, notAFile, outsideRoot } from '../../file-problems.ts';
import { type DirectoryHandle, openDirectory } from '../../scratch/directory-handle.ts';
import type { MediaLog } from '../../scratch/scratch.ts';
import { factsOf, fingerprintOf, hasStableInodes, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget } from '../publish/target.ts';

/** The path of an entry in an open folder, and the folder, which is flushed to disk after a change. */
export interface Entry {
  readonly folder: DirectoryHandle;
  readonly path: string;
}

/** What is to be moved or deleted, after its check. Dispose of it in the end: its folder is open. */
export interface CheckedEntry extends Entry, AsyncDisposable {
  /** The stats of the entry itself. */
  readonly own: BigIntStats;
  /** The stats of the file, or of the file to which a symlink leads. undefined: a symlink leads to none. */
  readonly stats: BigIntStats | undefined;
  /**
   * Throws if the entry may not be moved or deleted. Called with the stats of the entry where it is now, because another program may have
   * replaced it since the first check.
   */
  readonly checkAgain: (moved: BigIntStats) => void;
}

export const hostPathOf = ({ folder, path }: Entry): string => join(folder.real, path.slice(folder.pathOf('').length));

/**
 * Opens the folder of the file at a path of a client, or of a symlink that leads to none, and checks the file. `onMissing`: called before
 * FILE_NOT_FOUND is thrown. Throws the errors of `check`, of `statTarget` and of the file system.
 */
export async function openFile(
  boundary: RootBoundary,
  path: MediaPath,
  check: FileCheck = () => {},
  onMissing: FileCheck = () => {},
): Promise<CheckedEntry> {
  const { taken, target } = await statTarget(boundary, path);
  if (!taken) {
    onMissing(undefined);
    throw fileNotFound(path);
  }
  const folder = await openDirectory(target.real);
  try {
    const entry = { folder, path: folder.pathOf(target.name) };
    const own = await lstat(entry.path, { bigint: true });
    // Follow a symlink after these stats were read: `checkAgain` compares with them, because it cannot follow what has moved.
    const stats = own.isFile() ? own : (await statTarget(boundary, path)).stats;
    check(stats && factsOf(path, stats));
    const checkAgain = (moved: BigIntStats): void => {
      if (moved.isFile() === own.isFile() && fingerprintOf(moved) === fingerprintOf(own)) return;
      if (moved.isDirectory()) throw notAFile(path);
      check(factsOf(path, moved));
    };
    return { ...entry, own, stats, checkAgain, [Symbol.asyncDispose]: () => folder.close() };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Finds the folder at a path of a client. Rejects a symlink to a folder, and a folder that contains a reserved path. */
export async function openFolderEntry(boundary: RootBoundary, path: MediaPath): Promise<CheckedEntry> {
  const { real, missing, name } = await findPublishTarget(boundary, path).catch((error: unknown) => {
    throw error instanceof TargetError && error.conflict === 'below-file' ? folderNotFound(path) : error;
  });
  if (missing.length > 0) throw folderNotFound(path);
  const folder = await openDirectory(real);
  try {
    const own = await lstatIfExists(folder.pathOf(name));
    if (own?.isDirectory() !== true) throw folderNotFound(path);
    const entry = { folder, path: folder.pathOf(name) };
    if (boundary.isReserved?.(hostPathOf(entry), true) === true) throw outsideRoot();
    return { ...entry, own, stats: own, checkAgain: () => {}, [Symbol.asyncDispose]: () => folder.close() };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/** Replaces what is at `target`, so that its path is never without a file. */
export async function renameOver(source: Entry, target: Entry): Promise<void> {
  await rename(source.path, target.path);
  await target.folder.sync();
  await source.folder.sync();
}

/** Moves a file or folder by one rename, and then checks it; see `checkMoved`. */
export async function renameChecked(source: CheckedEntry, target: Entry, log?: MediaLog): Promise<void> {
  await renameOver(source, target);
  await checkMoved(source, target, log);
}

/**
 * Gives a file a new name in place of the old one, and checks that no other program has replaced it meanwhile: what others store at either name
 * stays there. Without `replace`, resolves to false if the new name is taken: the file has both names for a moment, or, on a disk without hard links,
 * an empty file reserves the new one.
 */
export async function moveEntry(
  source: CheckedEntry,
  target: Entry,
  replace: boolean,
  log?: MediaLog,
): Promise<boolean> {
  if (replace) {
    await renameChecked(source, target, log);
    // A rename of one hard link of a file over another one does nothing.
    const old = source.own.nlink > 1n ? await lstatIfExists(source.path) : undefined;
    if (old !== undefined && hasStableInodes(old.dev) && isSameFile(old, source.own)) await removeName(source);
    return true;
  }
  try {
    await link(source.path, target.path);
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST') return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
    if (!(await reserve(target.path))) return false;
    await renameChecked(source, target, log).catch(async (failure: unknown) => {
      // Another program has removed the file, or has put a folder at its path, which no rename puts over a file.
      if (['ENOENT', 'ENOTDIR'].includes(errnoOf(failure))) await unlink(target.path).catch(ignoreErrno('ENOENT'));
      throw failure;
    });
    return true;
  }
  // Flush the new name first: after a crash of the machine, the file has at least one name.
  await target.folder.sync();
  const made = await lstat(target.path, { bigint: true });
  const old = await lstatIfExists(source.path);
  const isOther = old !== undefined && !isSameFile(old, made);
  try {
    source.checkAgain(made);
    // If the old name is gone, others have deleted the file or moved it elsewhere.
    if (!isOther) await removeName(source);
  } catch (error) {
    if (!isOther) await removeName(target);
    throw error;
  }
  return true;
}

async function reserve(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

export async function removeName({ folder, path }: Entry): Promise<void> {
  await unlink(path);
  await folder.sync();
}

/**
 * Checks what a rename has moved from `source` to `target`. If another program has replaced the file since its check, puts
 * that one back and throws. It replaces nothing: if its path is taken again, or its folder is gone, it stays at `target`.
 */
export async function checkMoved(source: CheckedEntry, target: Entry, log?: MediaLog): Promise<void> {
  const moved = await lstat(target.path, { bigint: true });
  try {
    source.checkAgain(moved);
  } catch (error) {
    const kept = { ...source, ...target, own: moved, checkAgain: () => {} };
    // A folder has no hard links. Its rename can only replace an empty folder.
    const failure = await moveEntry(kept, source, moved.isDirectory()).then(
      (isBack) => (isBack ? undefined : {}),
      (err: unknown) => ({ err }),
    );
    if (failure !== undefined)
      log?.warn(
        { ...failure, path: hostPathOf(source), kept: hostPathOf(target) },
        'file that another program stored during a deletion or a move not put back: its path is taken, or its folder is gone',
      );
    throw error;
  }
}
