import { rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { BinRecord, FileCheck, FileEntry, FilesInBin, FolderSteps, ReplacedRecord } from '../../../files/ports.ts';
import { lstatIfExists, MISSING } from '../../errno-codes.ts';
import { binMissing, fileExists, folderExists, inOtherRoot, otherDisk, otherDiskThanBin } from '../../file-problems.ts';
import {
  allEnded,
  type DirectoryHandle,
  isGone,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import type { MediaLog } from '../../scratch/scratch.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget, type TargetStat } from '../publish/target.ts';
import { CONTENT, isBinOf, makeBin, openBin, readData, writeData } from './bin-folder.ts';
import type { RunChange } from './change-queues.ts';
import { type CheckedEntry, checkMoved, openSource } from './checked-entry.ts';
import { linkNew, renameOver } from './entries.ts';
import { findFolder, findFreeTarget, throwAt } from './move.ts';
import { openFolder, withFolders } from './new-folders.ts';
import { requirePathsFit } from './path-lengths.ts';
import type { RemoveDeps } from './remove-file.ts';
import { linkIntoBin } from './replaced-file.ts';

/** Moves a file or folder into the bin by one rename; see `FileStore.keepInBin`. */
export async function keepInBin(
  { runChange, log }: Pick<RemoveDeps, 'runChange' | 'log'>,
  boundary: RootBoundary,
  path: MediaPath,
  { entryId, isFolder }: { readonly entryId: string; readonly isFolder: boolean },
  record: BinRecord,
  check?: FileCheck,
): Promise<void> {
  const openFile = () => openSource(boundary, path, check).catch(throwAt('/path', path, 'deleting the file'));
  // Reject a wrong path before anything is stored.
  if (isFolder) await findFolder(boundary, path);
  else await (await openFile()).folder.close();
  try {
    await using bin = await makeBin(boundary);
    await using entry = await openPrivate(bin, entryId);
    try {
      await bin.sync();
      await record.add(await writeData(boundary, bin));
      await runChange(boundary, [path], async () =>
        isFolder ? moveFolderInto(entry, await findFolder(boundary, path)) : moveFileInto(entry, await openFile(), log),
      );
    } catch (error) {
      // Only an empty folder can be removed, so then nothing has moved.
      const isEmpty = await rmdir(bin.pathOf(entryId)).then(
        () => true,
        () => false,
      );
      if (isEmpty) await record.remove();
      throw error;
    }
  } catch (error) {
    // EBUSY: a disk is mounted on the folder.
    const isOnOtherDisk = ['EXDEV', 'EBUSY'].includes(errnoOf(error));
    throwAt('/path', path, 'moving the file to the bin')(isOnOtherDisk ? otherDiskThanBin() : error);
  }
}

async function moveFolderInto(
  entry: DirectoryHandle,
  source: { readonly real: string; readonly name: string },
): Promise<void> {
  await using folder = await openDirectory(source.real);
  await renameOver({ folder, path: folder.pathOf(source.name) }, { folder: entry, path: entry.pathOf(CONTENT) });
}

async function moveFileInto(entry: DirectoryHandle, opened: CheckedEntry, log: MediaLog): Promise<void> {
  await using source = opened;
  const kept = { folder: entry, path: entry.pathOf(CONTENT) };
  await renameOver(source, kept);
  await checkMoved(log, source, kept, source.checkAgain);
}

/** How many times an entry is restored while other requests replace the file at its path, or remove its folders. */
const MAX_ATTEMPTS = 10;

/** Another service has changed the path after its file was linked into the bin. */
class ReplacedMeanwhile extends Problem {
  /** Whether the bin has no second name of that file any more, so that the restore can begin again. */
  readonly isUndone: boolean;

  constructor(isUndone: boolean) {
    super('UNAVAILABLE', 'Other requests replaced the file at this path at the same time. Send the request again.', {
      retryAfterSeconds: 1,
    });
    this.isUndone = isUndone;
  }
}

async function repeatIfChanged<T>(restore: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await restore();
    } catch (error) {
      const repeats = isGone(error) || (error instanceof ReplacedMeanwhile && error.isUndone);
      if (!repeats || attempt === MAX_ATTEMPTS) throw error;
    }
}

/** Moves an entry of the bin to a free path; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  runChange: RunChange,
  boundary: RootBoundary,
  entry: FilesInBin,
  to: MediaPath,
  replaced?: ReplacedRecord,
  { by, prepare, before }: FolderSteps = {},
): Promise<FileEntry | undefined> {
  const isFolder = entry.path.endsWith('/');
  if (isFolder) {
    await requireFolderFits(boundary, entry, to, by?.hangUp).catch(throwAt('/to', to, 'restoring the folder'));
    await prepare?.();
  }
  const throwProblem = (error: unknown) =>
    throwAt('/to', to, 'restoring the file')(errnoOf(error) === 'EXDEV' ? otherDisk() : error);
  const restore = () =>
    runChange(boundary, [to], async () => {
      if (isFolder) await before?.();
      try {
        await using bin = await openBin(boundary);
        if (bin !== undefined) {
          const restored = await repeatIfChanged(() => restoreOnce(boundary, bin, entry, to, replaced));
          if (restored !== undefined || (await isBinOf(bin, entry.data))) return restored;
        }
        const { root = boundary.root } = readData(entry.data);
        throw root === boundary.root ? binMissing() : inOtherRoot();
      } catch (error) {
        return throwProblem(error);
      }
    });
  return withFolders(boundary, to, throwProblem, restore, async () => {
    if (isFolder) await before?.();
    return isInBin(boundary, entry).catch(throwProblem);
  });
}

/** Returns whether the files of an entry are in this bin. They are not if its disk is not mounted. */
async function isInBin(boundary: RootBoundary, { entryId }: FilesInBin): Promise<boolean> {
  await using bin = await openBin(boundary);
  return bin !== undefined && (await hasContent(bin, entryId));
}

const hasContent = async (bin: DirectoryHandle, entryId: string): Promise<boolean> =>
  (await lstatIfExists(bin.pathOf(`${entryId}/${CONTENT}`))) !== undefined;

/**
 * Throws if `to` is taken, or paths in a folder of the bin would be too long there. A large folder takes long to read, so this runs beside
 * other changes.
 */
async function requireFolderFits(
  boundary: RootBoundary,
  { entryId, path }: FilesInBin,
  to: MediaPath,
  signal: AbortSignal | undefined,
): Promise<void> {
  await using bin = await openBin(boundary);
  // An interrupted restore may have moved it to `to` already.
  if (bin === undefined || !(await hasContent(bin, entryId))) return;
  await findFreeTarget(boundary, to);
  await requirePathsFit(join(bin.real, entryId, CONTENT), path.slice(0, -1) as MediaPath, to, { signal });
}

/** Moves the files of an entry. Resolves to undefined if they are not in the bin. */
async function restoreOnce(
  boundary: RootBoundary,
  bin: DirectoryHandle,
  { entryId, path: entryPath }: FilesInBin,
  to: MediaPath,
  replaced: ReplacedRecord | undefined,
): Promise<FileEntry | undefined> {
  const isFolder = entryPath.endsWith('/');
  await using entry = await openNested(bin, [entryId]).catch(ignoreErrno('ENOENT'));
  const stats = entry && (await lstatIfExists(entry.pathOf(CONTENT)));
  if (entry === undefined || stats === undefined) return undefined;
  const content = entry.pathOf(CONTENT);
  const found: Pick<TargetStat, 'target' | 'stats'> = isFolder
    ? { target: await findPublishTarget(boundary, to) }
    : await statTarget(boundary, to);
  await using folder = await openFolder(found.target);
  const target = { folder, path: folder.pathOf(found.target.name) };
  if (isFolder) {
    if ((await lstatIfExists(target.path)) !== undefined) throw folderExists(to);
    await rename(content, target.path);
    await folder.sync();
    await entry.sync();
  } else if (replaced !== undefined && found.stats !== undefined) {
    await using old = await linkIntoBin(boundary, found.target, factsOf(to, found.stats), replaced);
    if (!(await old.isCurrent())) throw new ReplacedMeanwhile(await old.drop());
    await renameOver({ folder: entry, path: content }, target).catch(async (error: unknown) => {
      await old.putBack().catch(() => false);
      throw error;
    });
  } else if (!(await linkNew({ folder: entry, path: content }, target))) throw fileExists(to);
  // Ignore errors: what stays is an empty folder.
  await rmdir(bin.pathOf(entryId)).catch(() => undefined);
  return isFolder ? { kind: 'folder', path: `${to}/` } : { kind: 'file', ...factsOf(to, stats) };
}

/**
 * Deletes the files of an entry; see `FileStore.purgeFromBin`. `root`: the media root that the client has now, in which
 * the bin can be if its disk was mounted elsewhere. `open`: opens the boundary of a media root.
 */
export async function purgeFromBin(
  open: (root: string) => Promise<RootBoundary>,
  root: string,
  { entryId, data }: FilesInBin,
): Promise<boolean> {
  let failure: { readonly error: unknown } | undefined;
  for (const path of new Set([readData(data).root ?? root, root]))
    try {
      await using bin = await open(path).then(openBin, ignoreErrno(...MISSING));
      if (bin === undefined) continue;
      if ((await removeEntry(bin, entryId)) || (await isBinOf(bin, data))) return true;
    } catch (error) {
      failure ??= { error };
    }
  if (failure !== undefined) throwAt('/path', entryId as MediaPath, 'emptying the bin')(failure.error);
  return false;
}

/**
 * Removes the folder of an entry. Resolves to false if it is missing. Renames the files first, so that a restore at the
 * same time finds all of them or none.
 */
async function removeEntry(bin: DirectoryHandle, entryId: string): Promise<boolean> {
  const [folder, deleted] = [bin.pathOf(entryId), bin.pathOf(`${entryId}.deleted`)];
  const found = await allEnded([folder, deleted].map((path) => lstatIfExists(path)));
  if (found.every((stats) => stats === undefined)) return false;
  // A crash may have left it.
  await rm(deleted, { recursive: true, force: true });
  await rename(`${folder}/${CONTENT}`, deleted).catch(ignoreErrno('ENOENT'));
  for (const path of [deleted, folder]) await rm(path, { recursive: true, force: true });
  await bin.sync();
  return true;
}
