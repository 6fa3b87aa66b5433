import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileEntry, FileFacts, FileTree } from '../../../files/ports.ts';
import { DENIED } from '../../errno-codes.ts';
import { diskProblem, folderNotFound, outsideRoot } from '../../file-problems.ts';
import { isGone } from '../../scratch/directory-handle.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { firstDirents, namesOf, openFolder, readEntries } from './list-folder.ts';

/** A folder of the tree. `path`: its path for the client, with a slash at its end. */
export interface TreeFolder {
  readonly real: string;
  readonly path: string;
}

/** See `FileStore.listTree`. */
interface ListOptions {
  readonly most: number;
  readonly signal: AbortSignal;
  readonly withoutLinks?: boolean | undefined;
}

/**
 * Lists the files below a folder; see `FileStore.listTree`. Has one folder open at a time, so that a deep tree needs no more descriptors
 * than a flat one. Like a list, leaves out what the service may not read. Throws UNAVAILABLE if a disk below the folder hangs.
 */
export async function listTree(
  boundary: RootBoundary,
  path: MediaPath,
  { most, signal, withoutLinks = false }: ListOptions,
): Promise<FileTree | undefined> {
  try {
    const first = { real: await findFolder(boundary, path), path: path === '' ? '' : `${path}/` };
    const files: FileFacts[] = [];
    const folders: TreeFolder[] = [first];
    let left = most;
    for (const folder of folders) {
      const options = { most: left, signal, withoutLinks };
      const entries = await readAll(boundary, folder, options).catch((error: unknown): readonly FileEntry[] => {
        if (folder === first || !isLeftOut(error)) throw error;
        return [];
      });
      if (entries === undefined) return undefined;
      left -= entries.length;
      for (const entry of entries)
        if (entry.kind === 'file') files.push(entry);
        else folders.push({ real: `${folder.real}/${nameIn(folder, entry)}`, path: entry.path });
    }
    return { files, entries: most - left };
  } catch (error) {
    throw diskProblem(path, 'listing the folder', error);
  }
}

/** Whether an error of a folder in a tree is one of a symlink to a folder, a folder that another program has removed, or one that the service may not read. */
export const isLeftOut = (error: unknown): boolean => isGone(error) || DENIED.has(errnoOf(error));

/** The name of an entry of a folder, without the slash at its end. */
const nameIn = (folder: TreeFolder, { path }: FileEntry): string => path.slice(folder.path.length).replace(/\/$/, '');

/** Returns the absolute path, without symlinks, of the folder at a path of a client. */
async function findFolder(boundary: RootBoundary, path: MediaPath): Promise<string> {
  const resolved = await resolveIn(boundary, path.split('/'));
  if (resolved.kind === 'loop') throw folderNotFound(path);
  if (!isInside(boundary, resolved.real, resolved.kind === 'missing' ? resolved.rest : [])) throw outsideRoot();
  if (resolved.kind === 'missing' || !resolved.stats.isDirectory()) throw folderNotFound(path);
  return resolved.real;
}

/** Reads all entries of a folder. undefined: it has more than `most` names. */
async function readAll(
  boundary: RootBoundary,
  { real, path }: TreeFolder,
  { most, signal, withoutLinks = false }: ListOptions,
): Promise<readonly FileEntry[] | undefined> {
  signal.throwIfAborted();
  await using folder = await openFolder(boundary, real);
  const wanted = { nameStart: '', after: undefined, count: most + 1, signal };
  const names = namesOf(await firstDirents(folder.pathOf('.'), wanted));
  if (names.length > most) return undefined;
  // Wait here: when this function ends, the folder is closed.
  return await readEntries(boundary, folder, names, path, { isWhole: true, signal, withoutLinks });
}
