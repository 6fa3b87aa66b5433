import type { BigIntStats } from 'node:fs';
import { lstat, rename, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck, FileFacts, FileStore } from '../../../files/ports.ts';
import { lstatIfExists, rethrow, TargetError } from '../../errno-codes.ts';
import {
  diskProblem,
  fileExists,
  fileNotFound,
  folderExists,
  folderNotFound,
  notAFile,
  otherDisk,
  outsideRoot,
  problemAt,
  sameFile,
} from '../../file-problems.ts';
import { makeDirectories, openDirectory, requireFewFolders } from '../../scratch/directory-handle.ts';
import { factsOf, fileIdOf, hasStableInodes, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, type PublishTarget, statTarget } from '../publish/target.ts';
import type { RunChange } from './change-queues.ts';
import { type CheckedEntry, checkMoved, openSource } from './checked-entry.ts';
import { type Entry, linkNew, removeName, renameOver } from './entries.ts';
import { openFolder, withFolders } from './new-folders.ts';
import { type RemoveDeps, removeChecked } from './remove-file.ts';

export const throwAt = (field: '/from' | '/to' | '/path', path: MediaPath, action: string) =>
  rethrow((error) => problemAt(field, diskProblem(path, action, error)));

/** Moves a file; see `FileStore.move`. If the last name of `from` is a symlink, moves only the symlink. */
export async function moveFile(
  deps: RemoveDeps,
  boundary: RootBoundary,
  from: MediaPath,
  to: MediaPath,
  { replace, check }: { readonly replace: boolean; readonly check?: FileCheck | undefined },
): Promise<FileFacts> {
  const openFile = () => openSource(boundary, from, check).catch(throwAt('/from', from, 'moving the file'));
  const throwProblem = (error: unknown) =>
    throwAt('/to', to, 'moving the file')(errnoOf(error) === 'EXDEV' ? otherDisk() : error);
  const move = () =>
    deps.runChange(boundary, [from, to], async () => {
      await using source = await openFile();
      const { stats } = source;
      if (stats === undefined) throw fileNotFound(from);
      try {
        const target = await statTarget(boundary, to);
        if (target.taken && !replace) throw fileExists(to);
        await using folder = await openFolder(target.target);
        const entry = { folder, path: folder.pathOf(target.target.name) };
        const links = await linksOf(source.path, entry.path);
        const steps = checkedSteps(deps, source);
        if (links === 'one') throw sameFile(to);
        if (links === 'several') await removeOldName(deps, source, source.own);
        else if (replace) await steps.rename(source, entry);
        else if (!(await linkNew(source, entry, steps))) throw fileExists(to);
      } catch (error) {
        throwProblem(error);
      }
      return factsOf(to, stats);
    });
  return withFolders(boundary, to, throwProblem, move, async () => {
    await (await openFile()).folder.close();
    return true;
  });
}

/**
 * Returns what two names have in common. `several`: they are hard links to one file, for which `rename` does nothing. `one`: they are one name,
 * which a symlink to a folder shows at two paths, so that removing it would remove the file. undefined: nothing, and also if one of them
 * is a symlink, or the disk ignores upper and lower case.
 */
async function linksOf(source: string, target: string): Promise<'one' | 'several' | undefined> {
  const [a, b] = await Promise.all([source, target].map((path) => lstatIfExists(path)));
  if (a === undefined || b === undefined || !a.isFile() || !b.isFile()) return undefined;
  if (!hasStableInodes(a.dev) || fileIdOf(a) !== fileIdOf(b)) return undefined;
  if (await isSameEntry(source, target)) return 'one';
  return a.nlink > 1n ? 'several' : undefined;
}

/** Returns whether two paths are one name in one folder. */
async function isSameEntry(source: string, target: string): Promise<boolean> {
  if (basename(source) !== basename(target)) return false;
  const [a, b] = await Promise.all([source, target].map((path) => stat(dirname(path), { bigint: true })));
  return a !== undefined && b !== undefined && fileIdOf(a) === fileIdOf(b);
}

/** What `moveFile` does instead of a plain rename and a plain removal of the old name, see `linkNew`. */
const checkedSteps = (deps: RemoveDeps, source: CheckedEntry) => ({
  rename: async (_: Entry, target: Entry): Promise<void> => {
    await renameOver(source, target);
    await checkMoved(deps.log, source, target, source.checkAgain);
  },
  removeOld: async (_: Entry, target: Entry): Promise<void> => {
    const moved = await lstat(target.path, { bigint: true });
    try {
      source.checkAgain(moved);
    } catch (error) {
      // Nothing has moved yet: remove the new name, unless another program has put a file of its own there.
      const [linked, old] = await Promise.all([lstatIfExists(target.path), lstatIfExists(source.path)]);
      if (linked !== undefined && old !== undefined && isSameFile(linked, old)) await removeName(target);
      throw error;
    }
    await removeOldName(deps, source, moved);
  },
});

/** Removes the old name of a file that has its new one. If another program has put another file at the old name by now, that one stays. */
async function removeOldName(deps: RemoveDeps, source: CheckedEntry, moved: BigIntStats): Promise<void> {
  const other = new Error('Another file is at the old name.');
  const checkAgain = (old: BigIntStats): void => {
    if (!isSameFile(old, moved)) throw other;
  };
  await removeChecked(deps, { ...source, checkAgain }).catch((error: unknown) => {
    if (error !== other) throw error;
  });
}

/** Moves a folder by one rename; see `FileStore.moveFolder`. Rejects a symlink to a folder. */
export async function moveFolder(
  runChange: RunChange,
  boundary: RootBoundary,
  from: MediaPath,
  to: MediaPath,
  { before }: Parameters<FileStore['moveFolder']>[3] = {},
): Promise<void> {
  await findFolder(boundary, from);
  await findFreeTarget(boundary, to).catch(throwMoveProblem(to));
  const move = () =>
    runChange(boundary, [from, to], async () => {
      await before?.();
      const source = await findFolder(boundary, from);
      try {
        const target = await findPublishTarget(boundary, to);
        await using sourceFolder = await openDirectory(source.real);
        await using targetFolder = await openFolder(target);
        const path = targetFolder.pathOf(target.name);
        // A rename would replace an empty folder.
        if ((await lstatIfExists(path)) !== undefined) throw folderExists(to);
        await rename(sourceFolder.pathOf(source.name), path);
        await targetFolder.sync();
        await sourceFolder.sync();
      } catch (error) {
        throwMoveProblem(to)(error);
      }
    });
  return withFolders(boundary, to, throwMoveProblem(to), move, async () => {
    await before?.();
    return true;
  });
}

/** Finds where a folder will be. Throws if something is there already, or a file is in the place of a folder above it. */
export async function findFreeTarget(boundary: RootBoundary, path: MediaPath): Promise<PublishTarget> {
  const target = await findPublishTarget(boundary, path);
  if (target.missing.length > 0) return target;
  await using folder = await openDirectory(target.real);
  if ((await lstatIfExists(folder.pathOf(target.name))) !== undefined) throw folderExists(path);
  return target;
}

const throwMoveProblem = (to: MediaPath) => (error: unknown) =>
  throwAt('/to', to, 'moving the folder')(moveProblem(to, error));

/** Finds the folder at a path. Rejects a folder that contains a reserved path. */
export async function findFolder(boundary: RootBoundary, path: MediaPath): Promise<{ real: string; name: string }> {
  try {
    const { real, missing, name } = await findPublishTarget(boundary, path);
    if (missing.length > 0) throw folderNotFound(path);
    await using parent = await openDirectory(real);
    const stats = await lstat(parent.pathOf(name)).catch((error: unknown) => {
      throw errnoOf(error) === 'ENOENT' ? folderNotFound(path) : error;
    });
    if (!stats.isDirectory()) throw folderNotFound(path);
    if (boundary.isReserved?.(parent.real === '/' ? `/${name}` : `${parent.real}/${name}`, true) === true)
      throw outsideRoot();
    return { real, name };
  } catch (error) {
    const isBelowFile = error instanceof TargetError && error.conflict === 'below-file';
    return throwAt('/from', path, 'moving the folder')(isBelowFile ? folderNotFound(path) : error);
  }
}

/** Converts errors of `rename` for a folder: the new path is taken, or is on another disk. */
function moveProblem(to: MediaPath, error: unknown): unknown {
  const errno = errnoOf(error);
  if (['EEXIST', 'ENOTEMPTY'].includes(errno)) return folderExists(to);
  // EBUSY: a disk is mounted on the folder.
  if (errno === 'EXDEV' || errno === 'EBUSY') return otherDisk();
  // EINVAL: a symlink in the new path leads into the folder itself.
  return errno === 'EINVAL' ? notAFile(to) : error;
}

/** Creates an empty folder; see `FileStore.createFolder`. */
export async function createFolder(runChange: RunChange, boundary: RootBoundary, path: MediaPath): Promise<void> {
  const throwProblem = throwAt('/path', path, 'creating the folder');
  const { missing, name } = await findFreeTarget(boundary, path).catch(throwProblem);
  const create = () =>
    runChange(boundary, [path], async () => {
      const target = await findFreeTarget(boundary, path);
      await using parent = await openFolder(target);
      await using _folder = await makeDirectories(parent.real, [name]);
    });
  try {
    requireFewFolders([...missing, name]);
    await withFolders(boundary, path, throwProblem, create);
  } catch (error) {
    throwProblem(error);
  }
}
