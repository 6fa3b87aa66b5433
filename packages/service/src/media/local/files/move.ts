import { mkdir } from 'node:fs/promises';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { noBinEntry } from '@telecine/contract/domain/stored-files.ts';
import type { BinEntry, FileEntry, FileStore } from '../../../files/ports.ts';
import { lstatIfExists, rethrow } from '../../errno-codes.ts';
import {
  diskProblem,
  fileExists,
  folderExists,
  folderNotEmpty,
  notAFile,
  otherDisk,
  otherDiskThanBin,
  problemAt,
  sameFile,
  tooDeepForBin,
} from '../../file-problems.ts';
import { requireFewFolders } from '../../scratch/directory-handle.ts';
import { factsOf, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget } from '../publish/target.ts';
import { addEntry, isTooDeep, openKept, removeKept } from './bin.ts';
import type { RunChange } from './change-queues.ts';
import { type FoundEntry, findEntry, hostPathOf, moveEntry, moveOver, removeEntry } from './entries.ts';
import { sizeOfFolder } from './list-tree.ts';
import { openFolder, withFolders } from './new-folders.ts';

const throwAt = (field: '/from' | '/to' | '/path', path: MediaPath, action: string) =>
  rethrow((error) => problemAt(field, diskProblem(path, action, error)));

interface Moving {
  readonly paths: readonly [MediaPath, ...MediaPath[]];
  readonly to: MediaPath;
  /** Opens what moves. Throws the problems that a client gets. */
  readonly open: () => Promise<FoundEntry>;
  readonly replace: boolean;
  /** Completes "failed while …". */
  readonly action: string;
}

/** Moves a file or folder to a path of a client, and creates missing folders there. */
function moveTo(
  runChange: RunChange,
  boundary: RootBoundary,
  { paths, to, open, replace, action }: Moving,
): Promise<FileEntry> {
  const throwProblem = (error: unknown) => throwAt('/to', to, action)(moveProblem(to, error));
  const change = () =>
    runChange(boundary, paths, async (): Promise<FileEntry> => {
      await using source = await open();
      await place(boundary, source, to, replace).catch(async (error: unknown) => {
        const isGone = errnoOf(error) === 'ENOENT' && (await lstatIfExists(source.path)) === undefined;
        return throwProblem(isGone ? source.gone : error);
      });
      if (source.own.isDirectory()) return { kind: 'folder', path: `${to}/` };
      return { kind: 'file', ...factsOf(to, source.stats) };
    });
  return withFolders(boundary, to, throwProblem, change, async () => (await open())[Symbol.asyncDispose]());
}

/** Moves what was found to a path whose folders exist. */
async function place(boundary: RootBoundary, source: FoundEntry, to: MediaPath, replace: boolean): Promise<void> {
  const isFolder = source.own.isDirectory();
  const { target, stats } = isFolder
    ? { target: await findPublishTarget(boundary, to), stats: undefined }
    : await statTarget(boundary, to);
  await using folder = await openFolder(target);
  const entry = { folder, path: folder.pathOf(target.name) };
  const [from, onto] = [hostPathOf(source), hostPathOf(entry)];
  // rename(2) leaves two hard links of one file as they are. On a disk that ignores case, paths that differ only in case are one name.
  const isLinked = source.own.nlink > 1n && from.toLowerCase() !== onto.toLowerCase();
  if (from === onto || (isLinked && replace && stats !== undefined && isSameFile(stats, source.own)))
    throw sameFile(to);
  if (stats !== undefined && replace) return await moveOver(source, entry);
  if (!(await moveEntry(source, entry))) throw isFolder ? folderExists(to) : fileExists(to);
}

/** Converts errors of `mkdir`, `rename` and `link`: the new path is taken, or is on another disk. */
function moveProblem(to: MediaPath, error: unknown): unknown {
  const errno = errnoOf(error);
  if (['EEXIST', 'ENOTEMPTY'].includes(errno)) return folderExists(to);
  // EBUSY: a disk is mounted on the folder.
  if (errno === 'EXDEV' || errno === 'EBUSY') return otherDisk();
  // EINVAL: a symlink in the new path leads into the folder itself.
  return errno === 'EINVAL' ? notAFile(to) : error;
}

/** Moves a file or folder; see `FileStore.move`. If the last name of `from` is a symlink, moves only the symlink, and not as a folder. */
export async function move(
  runChange: RunChange,
  boundary: RootBoundary,
  from: MediaPath,
  to: MediaPath,
  { isFolder = false, replace, check }: Parameters<FileStore['move']>[3],
): Promise<FileEntry> {
  const action = isFolder ? 'moving the folder' : 'moving the file';
  const open = () => findEntry(boundary, from, { isFolder, check }).catch(throwAt('/from', from, action));
  return moveTo(runChange, boundary, { paths: [from, to], to, open, replace, action });
}

/** Moves an entry to a path; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  runChange: RunChange,
  boundary: RootBoundary,
  entryId: string,
  to: MediaPath,
): ReturnType<FileStore['restoreFromBin']> {
  const action = 'restoring the file';
  let bytes = 0;
  const open = async (): Promise<FoundEntry> => {
    const kept = await openKept(boundary, entryId).catch(throwAt('/to', to, action));
    if (kept === undefined) throw noBinEntry(entryId);
    bytes = kept.entry.bytes;
    return kept;
  };
  const entry = await moveTo(runChange, boundary, { paths: [to], to, open, replace: false, action });
  // What cannot be removed is an empty entry, which the sweep removes.
  await removeKept(boundary, { entryId }).catch(() => undefined);
  return { entry, bytes };
}

/** Deletes a file or folder, or moves it into the bin; see `FileStore.remove`. If the path is a symlink, this is done to the symlink only. */
export async function remove(
  runChange: RunChange,
  boundary: RootBoundary,
  path: MediaPath,
  { isFolder = false, keep = false, check, by }: NonNullable<Parameters<FileStore['remove']>[2]>,
): Promise<BinEntry | undefined> {
  const find = () => findEntry(boundary, path, { isFolder, check });
  const folderSize = async (): Promise<number> => {
    await using folder = await find();
    return await sizeOfFolder(boundary, hostPathOf(folder), by?.hangUp ?? NEVER);
  };
  try {
    // Other changes do not wait while a large folder is added up.
    const folderBytes = keep && isFolder ? await folderSize() : 0;
    return await runChange(boundary, [path], async () => {
      await using source = await find();
      if (!keep) return await removeEntry(source);
      const [was, bytes] = isFolder ? [`${path}/`, folderBytes] : [path, Number(source.own.size)];
      return await addEntry(boundary, was, bytes, (entry) => moveOver(source, entry));
    });
  } catch (error) {
    throw diskProblem(
      path,
      keep ? 'moving the file to the bin' : 'deleting the file',
      removalProblem(path, keep, error),
    );
  }
}

function removalProblem(path: MediaPath, keep: boolean, error: unknown): unknown {
  if (isTooDeep(error)) return tooDeepForBin();
  const errno = errnoOf(error);
  // EBUSY: a disk is mounted on the folder.
  if (keep) return errno === 'EXDEV' || errno === 'EBUSY' ? otherDiskThanBin() : error;
  // POSIX allows two codes for a folder that is not empty.
  return ['ENOTEMPTY', 'EEXIST', 'EBUSY'].includes(errno) ? folderNotEmpty(path) : error;
}

/** Creates an empty folder; see `FileStore.createFolder`. */
export async function createFolder(runChange: RunChange, boundary: RootBoundary, path: MediaPath): Promise<void> {
  const throwProblem = (error: unknown) => throwAt('/path', path, 'creating the folder')(moveProblem(path, error));
  const create = () =>
    runChange(boundary, [path], async () => {
      const target = await findPublishTarget(boundary, path);
      await using folder = await openFolder(target);
      await mkdir(folder.pathOf(target.name));
      await folder.sync();
    });
  try {
    const { missing, name } = await findPublishTarget(boundary, path);
    requireFewFolders([...missing, name]);
    await withFolders(boundary, path, throwProblem, create);
  } catch (error) {
    throwProblem(error);
  }
}
