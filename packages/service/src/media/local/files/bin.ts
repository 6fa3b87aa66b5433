import { lstat, rename, rm, rmdir } from 'node:fs/promises';
import { errnoOf, ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { LimitFunction } from 'p-limit';
import type { FileFacts } from '../../../files/ports.ts';
import { lstatIfExists } from '../../errno-codes.ts';
import { fileExists, fileNotFound, folderExists, notInBin, otherDisk } from '../../file-problems.ts';
import {
  type DirectoryHandle,
  makeDirectories,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, statTarget } from '../publish/target.ts';
import { findFolder, linkNew, throwAt } from './move.ts';

/** The folder of the bin in a media root. It is reserved, so no request can name what is in it. */
const BIN = `${RESERVED_PREFIX}-bin`;

/** The name of the deleted file or folder, in the folder of its entry. */
const CONTENT = 'content';

async function openBin({ root }: RootBoundary): Promise<DirectoryHandle> {
  await using folder = await openDirectory(root);
  return await openPrivate(folder, BIN);
}

/** Moves a file or folder into the bin by one rename; see `FileStore.keepInBin`. */
export const keepInBin = (
  oneAtATime: LimitFunction,
  boundary: RootBoundary,
  path: MediaPath,
  entryId: string,
  isFolder: boolean,
): Promise<void> =>
  oneAtATime(async () => {
    const source = isFolder ? await findFolder(boundary, path) : await findFile(boundary, path);
    try {
      await using folder = await openDirectory(source.real);
      await using bin = await openBin(boundary);
      await using entry = await openPrivate(bin, entryId);
      await rename(folder.pathOf(source.name), entry.pathOf(CONTENT)).catch(async (error: unknown) => {
        await rmdir(bin.pathOf(entryId)).catch(() => undefined);
        throw ['EXDEV', 'EBUSY'].includes(errnoOf(error)) ? otherDisk() : error;
      });
      for (const changed of [entry, bin, folder]) await changed.sync();
    } catch (error) {
      throwAt('/path', path, 'moving the file to the bin')(error);
    }
  });

async function findFile(boundary: RootBoundary, path: MediaPath): Promise<{ real: string; name: string }> {
  const { target, taken } = await statTarget(boundary, path).catch(throwAt('/path', path, 'deleting the file'));
  if (!taken) throw fileNotFound(path);
  return target;
}

/** Moves an entry of the bin to a free path; see `FileStore.restoreFromBin`. */
export const restoreFromBin = (
  oneAtATime: LimitFunction,
  boundary: RootBoundary,
  entryId: string,
  to: MediaPath,
  isFolder: boolean,
): Promise<FileFacts | undefined> =>
  oneAtATime(async () => {
    try {
      await using bin = await openBin(boundary);
      await using entry = await openNested(bin, [entryId]).catch((error: unknown) => {
        throw errnoOf(error) === 'ENOENT' ? notInBin() : error;
      });
      const content = entry.pathOf(CONTENT);
      const stats = await lstat(content, { bigint: true }).catch((error: unknown) => {
        throw errnoOf(error) === 'ENOENT' ? notInBin() : error;
      });
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
      await rmdir(bin.pathOf(entryId)).catch(ignoreErrno('ENOTEMPTY', 'EEXIST'));
      return isFolder ? undefined : factsOf(to, stats);
    } catch (error) {
      return throwAt('/to', to, 'restoring the file')(error);
    }
  });

/** Deletes the files of an entry of the bin. Removes the bin if it is empty. */
export async function purgeFromBin(boundary: RootBoundary, entryId: string): Promise<void> {
  try {
    await using root = await openDirectory(boundary.root);
    await using bin = await openNested(root, [BIN]);
    await rm(bin.pathOf(entryId), { recursive: true, force: true });
    await rmdir(root.pathOf(BIN)).catch(ignoreErrno('ENOTEMPTY', 'EEXIST'));
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throwAt('/path', entryId as MediaPath, 'emptying the bin')(error);
  }
}
