import { realpath, rename, rm, rmdir } from 'node:fs/promises';
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { LimitFunction } from 'p-limit';
import type { BinRecord, FileEntry, FilesInBin } from '../../../files/ports.ts';
import { lstatIfExists, MISSING } from '../../errno-codes.ts';
import {
  binMissing,
  fileExists,
  fileNotFound,
  folderExists,
  inOtherRoot,
  otherDisk,
  otherDiskThanBin,
} from '../../file-problems.ts';
import {
  allEnded,
  type DirectoryHandle,
  DirectoryMoved,
  isGone,
  makeDirectories,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget } from '../publish/target.ts';
import { findFolder, linkNew, throwAt } from './move.ts';

/**
 * The folder of the bin in a media root. It is reserved, so no request can name what is in it. It stays when the bin is
 * empty: if it is missing, its disk is not mounted, and then nothing is known of the files of its entries.
 */
const BIN = `${RESERVED_PREFIX}-bin`;

/** The name of the deleted file or folder, in the folder of its entry. */
const CONTENT = 'content';

/** The local engine's part of a `BinEntry` (`data`). */
interface Data {
  /** The media root, as an absolute path without symlinks. */
  readonly root: string;
  /**
   * The inode number of the bin. The folder of another bin at the same path has another one, such as one that was created
   * while the disk was not mounted. (If a disk has no stable inode numbers, an entry without files stays for a month.)
   */
  readonly bin: string;
}

const readData = (data: string): Partial<Data> => (data === '' ? {} : (JSON.parse(data) as Partial<Data>));

const inodeOf = async (folder: DirectoryHandle): Promise<string> => String((await folder.stats()).ino);

/** Returns whether an entry was stored in this bin, so that its files are certainly gone if they are not there. */
const isBinOf = async (bin: DirectoryHandle, data: string): Promise<boolean> =>
  data === '' || readData(data).bin === (await inodeOf(bin));

/** Opens the bin of a media root, and creates it if it is missing. */
async function makeBin({ root }: RootBoundary): Promise<DirectoryHandle> {
  await using folder = await openDirectory(root);
  const isNew = (await lstatIfExists(folder.pathOf(BIN))) === undefined;
  const bin = await openPrivate(folder, BIN).catch(throwUnusable);
  if (!isNew) return bin;
  try {
    await folder.sync();
    return bin;
  } catch (error) {
    await bin.close();
    throw error;
  }
}

/** Throws STORAGE_FAULT if something else is at the path of the bin, or if the bin belongs to another user. */
function throwUnusable(cause: unknown): never {
  if (errnoOf(cause) !== '') throw cause;
  throw new Problem('STORAGE_FAULT', 'The bin of your media root cannot be used. Ask the operator to check it.', {
    cause,
  });
}

/** Opens the bin of the media root at `path`. undefined: it is missing. */
async function openBin(path: string): Promise<DirectoryHandle | undefined> {
  try {
    await using root = await openDirectory(await realpath(path));
    return await openNested(root, [BIN]);
  } catch (error) {
    if (error instanceof DirectoryMoved || MISSING.has(errnoOf(error))) return undefined;
    throw error;
  }
}

/** Moves a file or folder into the bin by one rename; see `FileStore.keepInBin`. */
export async function keepInBin(
  oneAtATime: LimitFunction,
  boundary: RootBoundary,
  path: MediaPath,
  { entryId, isFolder }: { readonly entryId: string; readonly isFolder: boolean },
  record: BinRecord,
): Promise<void> {
  const find = () => (isFolder ? findFolder(boundary, path) : findFile(boundary, path));
  // Reject a wrong path before anything is stored.
  await find();
  try {
    await using bin = await makeBin(boundary);
    await using entry = await openPrivate(bin, entryId);
    try {
      await bin.sync();
      await record.add(JSON.stringify({ root: boundary.root, bin: await inodeOf(bin) } satisfies Data));
      await oneAtATime(async () => moveInto(entry, await find()));
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

async function moveInto(
  entry: DirectoryHandle,
  source: { readonly real: string; readonly name: string },
): Promise<void> {
  await using folder = await openDirectory(source.real);
  await rename(folder.pathOf(source.name), entry.pathOf(CONTENT));
  for (const changed of [entry, folder]) await changed.sync();
}

async function findFile(boundary: RootBoundary, path: MediaPath): Promise<{ real: string; name: string }> {
  const { target, taken } = await statTarget(boundary, path).catch(throwAt('/path', path, 'deleting the file'));
  if (!taken) throw fileNotFound(path);
  return target;
}

/** How many times an entry is restored while other requests remove the folders of its path. */
const MAX_ATTEMPTS = 10;

async function repeatIfGone<T>(restore: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await restore();
    } catch (error) {
      if (!isGone(error) || attempt === MAX_ATTEMPTS) throw error;
    }
}

/** Moves an entry of the bin to a free path; see `FileStore.restoreFromBin`. */
export const restoreFromBin = (
  oneAtATime: LimitFunction,
  boundary: RootBoundary,
  entry: FilesInBin,
  to: MediaPath,
): Promise<FileEntry | undefined> =>
  oneAtATime(async () => {
    try {
      await using bin = await openBin(boundary.root);
      if (bin !== undefined) {
        const restored = await repeatIfGone(() => restoreOnce(boundary, bin, entry, to));
        if (restored !== undefined || (await isBinOf(bin, entry.data))) return restored;
      }
      const { root = boundary.root } = readData(entry.data);
      throw root === boundary.root ? binMissing() : inOtherRoot();
    } catch (error) {
      return throwAt('/to', to, 'restoring the file')(errnoOf(error) === 'EXDEV' ? otherDisk() : error);
    }
  });

/** Moves the files of an entry. Resolves to undefined if they are not in the bin. */
async function restoreOnce(
  boundary: RootBoundary,
  bin: DirectoryHandle,
  { entryId, path: entryPath }: FilesInBin,
  to: MediaPath,
): Promise<FileEntry | undefined> {
  const isFolder = entryPath.endsWith('/');
  await using entry = await openNested(bin, [entryId]).catch(ignoreErrno('ENOENT'));
  const stats = entry && (await lstatIfExists(entry.pathOf(CONTENT)));
  if (entry === undefined || stats === undefined) return undefined;
  const content = entry.pathOf(CONTENT);
  const { real, missing, name } = isFolder
    ? await findPublishTarget(boundary, to)
    : (await statTarget(boundary, to)).target;
  await using folder = await makeDirectories(real, missing);
  const target = { folder, path: folder.pathOf(name) };
  if (isFolder) {
    if ((await lstatIfExists(target.path)) !== undefined) throw folderExists(to);
    await rename(content, target.path);
    await folder.sync();
    await entry.sync();
  } else if (!(await linkNew({ folder: entry, path: content }, target))) throw fileExists(to);
  // Ignore errors: what stays is an empty folder.
  await rmdir(bin.pathOf(entryId)).catch(() => undefined);
  return isFolder ? { kind: 'folder', path: `${to}/` } : { kind: 'file', ...factsOf(to, stats) };
}

/**
 * Deletes the files of an entry; see `FileStore.purgeFromBin`. `root`: the media root that the client has now, in which
 * the bin can be if its disk was mounted elsewhere.
 */
export async function purgeFromBin(root: string, { entryId, data }: FilesInBin): Promise<boolean> {
  let failure: { readonly error: unknown } | undefined;
  for (const path of new Set([readData(data).root ?? root, root]))
    try {
      await using bin = await openBin(path);
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
