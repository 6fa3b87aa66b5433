import type { BigIntStats } from 'node:fs';
import { link, lstat, rename, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { fileNotFound, folderNotFound, outsideRoot } from '../../file-problems.ts';
import { type DirectoryHandle, openDirectory } from '../../scratch/directory-handle.ts';
import { factsOf, isSameFile } from '../paths/file-facts.ts';
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
  /** The problem if another program, or another service, replaces the entry or takes it away. */
  readonly gone: Problem;
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
    return { ...entry, own, stats, gone, [Symbol.asyncDispose]: folder.close };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

type Moved = Entry & Pick<FoundEntry, 'own' | 'gone'>;

async function requireUnchanged({ path, own, gone }: Moved): Promise<void> {
  const now = await lstatIfExists(path);
  if (now === undefined || !isSameFile(now, own)) throw gone;
}

/** Deletes a file, a symlink or an empty folder. */
export async function removeEntry(source: Moved): Promise<undefined> {
  await requireUnchanged(source);
  await (source.own.isDirectory() ? rmdir : unlink)(source.path);
  await source.folder.sync();
}

/** Replaces what is at `target`, so that its path is never without a file. */
export async function moveOver(source: Moved, target: Entry): Promise<void> {
  await requireUnchanged(source);
  await rename(source.path, target.path);
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
  const isMoved = isSameFile(made, source.own);
  const hasBothNames = old !== undefined && isSameFile(old, made);
  try {
    if (!isMoved) throw source.gone;
    // This fails if another program, or another service, has taken the file away. What it has put at the old name stays.
    if (old === undefined || hasBothNames) await unlink(source.path);
  } catch (error) {
    // What another program has put at the new name stays.
    if (hasBothNames || isMoved) await unlink(target.path);
    throw error;
  }
  await source.folder.sync();
  return true;
}
