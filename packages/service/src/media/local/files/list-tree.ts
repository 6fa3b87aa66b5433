import { opendir } from 'node:fs/promises';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { FileEntry, FileFacts, FileTree } from '../../../files/ports.ts';
import { DENIED } from '../../errno-codes.ts';
import { diskProblem, folderNotFound } from '../../file-problems.ts';
import { isGone } from '../../scratch/directory-handle.ts';
import { NAMES_AT_A_TIME } from '../paths/read-names.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { findFolder, openFolder, readEntries } from './list-folder.ts';

/** The path of the bin in a media root. */
export const BIN = [RESERVED_PREFIX, 'bin'] as const;

/** A folder of the tree. `path`: its path for the client, with a slash at its end. */
export interface TreeFolder {
  readonly real: string;
  readonly path: string;
}

/** How many entries are yielded together at most: a folder can have millions. */
const BATCH = 1000;

interface WalkOptions {
  readonly signal: AbortSignal;
  /** Leaves out symlinks to files, which have the size of another file. */
  readonly withoutLinks?: boolean | undefined;
  /** Also yields files in bins, and files with names that no request can have. */
  readonly isSum?: boolean;
}

/**
 * Yields the entries of a folder and of the folders below it, in batches. Has one folder open at a time, so that a deep tree needs no more
 * descriptors than a flat one. Like a list, leaves out what the service may not read. Throws UNAVAILABLE if a disk below the folder hangs.
 */
async function* walkFolder(
  boundary: RootBoundary,
  first: TreeFolder,
  { signal, withoutLinks = false, isSum = false }: WalkOptions,
): AsyncGenerator<readonly FileEntry[]> {
  const options = {
    ...{ isWhole: true, signal, withoutLinks },
    ...(isSum && { isLeftOut: (real: string) => boundary.isReserved?.(real) === true || isOfService(real) }),
  };
  const folders = [first];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const { real, path } = next;
    try {
      await using folder = await openFolder(boundary, real);
      const read = async (names: readonly string[]): Promise<readonly FileEntry[]> => {
        const entries = await readEntries(boundary, folder, names, path, options);
        for (const entry of entries)
          if (entry.kind === 'folder') {
            const name = entry.path.slice(path.length, -1);
            folders.push({ real: `${real === '/' ? '' : real}/${name}`, path: entry.path });
          }
        return entries;
      };
      let names: string[] = [];
      for await (const { name } of await opendir(folder.pathOf('.'), { bufferSize: NAMES_AT_A_TIME })) {
        signal.throwIfAborted();
        if (names.push(name) < BATCH) continue;
        yield await read(names);
        names = [];
      }
      yield await read(names);
    } catch (error) {
      signal.throwIfAborted();
      if (next === first ? !(isSum && isGone(error)) : !isLeftOut(error)) throw error;
    }
  }
}

/** Whether a path is the scratch of the service. Of its folder, only the bin belongs to clients. */
const isOfService = (real: string): boolean => {
  const [folder, name = ''] = real.split('/').slice(-2);
  return folder === BIN[0] ? name !== BIN[1] : name.startsWith(RESERVED_PREFIX) && name !== BIN[0];
};

/** Lists the files of a media root, or of a folder that ends with a slash; see `FileStore.walk`. */
export async function* walk(
  boundary: RootBoundary,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<readonly { readonly path: string; readonly bytes: number }[]> {
  const found = path === '' ? undefined : await resolveIn(boundary, path.slice(0, -1).split('/'));
  if (found !== undefined && (found.kind !== 'found' || !isInside(boundary, found.real))) return;
  const folder = { real: found?.real ?? boundary.root, path };
  try {
    for await (const entries of walkFolder(boundary, folder, { signal, withoutLinks: true, isSum: true }))
      yield entries.flatMap((entry) => (entry.kind === 'file' ? { path: entry.path, bytes: entry.sizeBytes } : []));
  } catch (error) {
    signal.throwIfAborted();
    throw diskProblem(path as MediaPath, 'adding up the files', error);
  }
}

/** Returns the size of all files in the folder at `real`. */
export async function sizeOfFolder(boundary: RootBoundary, real: string, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const entries of walkFolder(boundary, { real, path: '' }, { signal, withoutLinks: true, isSum: true }))
    for (const entry of entries) if (entry.kind === 'file') bytes += entry.sizeBytes;
  return bytes;
}

/** Lists the files below a folder; see `FileStore.listTree`. */
export async function listTree(
  boundary: RootBoundary,
  path: MediaPath,
  { most, ...options }: Omit<WalkOptions, 'isSum'> & { readonly most: number },
): Promise<FileTree | undefined> {
  try {
    options.signal.throwIfAborted();
    const real = await findFolder(boundary, path);
    if (real === undefined) throw folderNotFound(path);
    const first = { real, path: path === '' ? '' : `${path}/` };
    const files: FileFacts[] = [];
    let count = 0;
    for await (const entries of walkFolder(boundary, first, options)) {
      count += entries.length;
      if (count > most) return undefined;
      for (const entry of entries) if (entry.kind === 'file') files.push(entry);
    }
    return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), entries: count };
  } catch (error) {
    throw diskProblem(path, 'listing the folder', error);
  }
}

/** Whether an error of a folder in a tree is one of a symlink to a folder, a folder that another program has removed, or one that the service may not read. */
export const isLeftOut = (error: unknown): boolean => isGone(error) || DENIED.has(errnoOf(error));
