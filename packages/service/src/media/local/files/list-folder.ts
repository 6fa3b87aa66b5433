import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { isMediaPath, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileEntry, FileStore, FolderQuery } from '../../../files/ports.ts';
import { diskProblem, outsideRoot } from '../../file-problems.ts';
import { allEnded, type DirectoryHandle, openDirectory } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { DiskReads } from '../paths/media-disks.ts';
import { NAMES_AT_A_TIME } from '../paths/read-names.ts';
import { DiskUnavailable } from '../paths/remote-calls.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** The maximum number of entries that are read at the same time. */
const CONCURRENCY = 32;

/**
 * Lists one page of a folder, sorted by name. Leaves out names that no client can send, and files that the service
 * cannot read.
 */
export async function listFolder(boundary: RootBoundary, query: FolderQuery): ReturnType<FileStore['list']> {
  const { folder: path, nameStart, limit } = query;
  const after = query.after?.replace(/\/$/, '');
  try {
    const real = await findFolder(boundary, path);
    if (real === undefined) return { entries: [], more: false };
    await using folder = await openFolder(boundary, real);
    const entries: FileEntry[] = [];
    // Read one entry more than requested, to find out whether there is a next page.
    const wanted = limit + 1;
    let last = after;
    while (entries.length < wanted) {
      const names = namesOf(await firstDirents(folder.pathOf('.'), { nameStart, after: last, count: wanted }));
      last = names.at(-1);
      entries.push(...(await readEntries(boundary, folder, names, path)));
      if (names.length < wanted) break;
    }
    return { entries: entries.slice(0, limit), more: entries.length > limit };
  } catch (error) {
    throw diskProblem(path, 'listing the folder', error);
  }
}

/** Returns the absolute path, without symlinks, of the folder at a path of a client. undefined: there is none. */
export async function findFolder(boundary: RootBoundary, path: string): Promise<string | undefined> {
  const resolved = await resolveIn(boundary, path.split('/'));
  if (resolved.kind === 'loop') return undefined;
  if (!isInside(boundary, resolved.real, resolved.kind === 'missing' ? resolved.rest : [])) throw outsideRoot();
  return resolved.kind === 'found' && resolved.stats.isDirectory() ? resolved.real : undefined;
}

/** Opens a folder for reading, unless its disk hangs. */
export const openFolder = ({ disks }: RootBoundary, real: string): Promise<DirectoryHandle> =>
  disks.call(real, () => openDirectory(real), { discard: (late) => late.close() });

interface ReadOptions {
  /** A disk below the folder that hangs is an error, instead of an entry that is left out. */
  readonly isWhole?: boolean;
  /** Leaves out symlinks. */
  readonly withoutLinks?: boolean;
  /** Ends the read of many entries on a slow disk. */
  readonly signal?: AbortSignal;
  /** Whether to leave out the entry at an absolute path. Default: what no request can name. */
  readonly isLeftOut?: (real: string, path: string) => boolean;
}

/** Reads the entries `names` of a folder. Leaves out what `listFolder` leaves out. `path`: the path of the folder, with a slash at its end. */
export async function readEntries(
  boundary: RootBoundary,
  folder: DirectoryHandle,
  names: readonly string[],
  path: string,
  { isWhole = false, withoutLinks = false, signal, ...options }: ReadOptions = {},
): Promise<readonly FileEntry[]> {
  const isLeftOut =
    options.isLeftOut ?? ((real: string, path: string) => !isMediaPath(path) || !isInside(boundary, real));
  const ignored = isWhole ? undefinedIfUnreadable : undefinedIfAway(boundary, folder.real);
  const entries: FileEntry[] = [];
  for (let i = 0; i < names.length; i += CONCURRENCY) {
    signal?.throwIfAborted();
    const group = names.slice(i, i + CONCURRENCY);
    const read = await allEnded(
      group.map((name) => readEntry(boundary, folder, name, `${path}${name}`, { ignored, withoutLinks, isLeftOut })),
    );
    entries.push(...read.flatMap((entry) => entry ?? []));
  }
  return entries;
}

/**
 * Reads the entry `name` of a folder. Follows a symlink if it stays inside the media root, unless `withoutLinks`. `ignored`: throws, or returns
 * the entry in place of an error.
 */
async function readEntry(
  boundary: RootBoundary,
  folder: DirectoryHandle,
  name: string,
  path: string,
  {
    ignored,
    withoutLinks,
    isLeftOut,
  }: Required<Pick<ReadOptions, 'withoutLinks' | 'isLeftOut'>> & {
    readonly ignored: (error: unknown, path: string, real: string) => FileEntry | undefined;
  },
): Promise<FileEntry | undefined> {
  const real = join(folder.real, name);
  if (isLeftOut(real, path)) return undefined;
  try {
    // The entry can be the root of another disk.
    const stats = await boundary.disks.call(real, () => lstat(folder.pathOf(name), { bigint: true }));
    if (!stats.isSymbolicLink()) return toEntry(path, stats);
    if (withoutLinks) return undefined;
    const resolved = await resolveIn(boundary, path.split('/'));
    return resolved.kind === 'found' && isInside(boundary, resolved.real) ? toEntry(path, resolved.stats) : undefined;
  } catch (error) {
    return ignored(error, path, real);
  }
}

function toEntry(path: string, stats: BigIntStats): FileEntry | undefined {
  if (stats.isDirectory()) return { kind: 'folder', path: `${path}/` };
  return stats.isFile() ? { kind: 'file', ...factsOf(path as MediaPath, stats) } : undefined;
}

/**
 * Ignores a file system error of one entry, which may be unreadable, or which another program may have deleted. Throws any
 * other error.
 */
function undefinedIfUnreadable(error: unknown): undefined {
  if (error instanceof DiskUnavailable || errnoOf(error) === '') throw error;
}

/**
 * Also ignores that another disk than that of the folder hangs: what is mounted in the folder is shown as a folder, and a symlink is left
 * out, because nobody knows what is there.
 */
const undefinedIfAway =
  (boundary: RootBoundary, folder: string) =>
  (error: unknown, path: string, real: string): FileEntry | undefined => {
    if (!hangsBelow(boundary.disks, folder, error)) return undefinedIfUnreadable(error);
    return error.disk === real ? { kind: 'folder', path: `${path}/` } : undefined;
  };

/**
 * Whether an error says that a disk hangs which is not that of the folder. A call that got no turn says nothing about its disk, so files are not
 * left out because of it.
 */
export const hangsBelow = (disks: DiskReads, folder: string, error: unknown): error is DiskUnavailable =>
  error instanceof DiskUnavailable && error.isHanging && error.disk !== disks.diskOf(folder);

export interface WantedNames {
  readonly nameStart: string;
  readonly after: string | undefined;
  readonly count: number;
  /** Ends the read of a folder, which can have millions of names. */
  readonly signal?: AbortSignal;
}

export const namesOf = (dirents: readonly Dirent[]): readonly string[] => dirents.map(({ name }) => name);

/**
 * Returns the entries with the first `count` names, in order, that begin with `nameStart` and come after `after`. Keeps at most
 * twice `count` of them in memory, because a folder can have any number.
 */
export async function firstDirents(
  folder: string,
  { nameStart, after, count, signal }: WantedNames,
): Promise<readonly Dirent[]> {
  let found: Dirent[] = [];
  /** The last of the first `count` names that were found so far. */
  let last: string | undefined;
  const keepFirst = (): void => {
    found = found.sort((a, b) => (a.name < b.name ? -1 : 1)).slice(0, count);
  };
  for await (const dirent of await opendir(folder, { bufferSize: NAMES_AT_A_TIME })) {
    signal?.throwIfAborted();
    const { name } = dirent;
    if (!name.startsWith(nameStart) || (after !== undefined && name <= after) || (last !== undefined && name > last))
      continue;
    found.push(dirent);
    if (found.length < 2 * count) continue;
    keepFirst();
    last = found.at(-1)?.name;
  }
  keepFirst();
  return found;
}
