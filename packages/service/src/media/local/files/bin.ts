import { randomBytes } from 'node:crypto';
import { link, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { BinEntry, BinItem, FileFacts, FileStore } from '../../../files/ports.ts';
import { lstatIfExists, MISSING, UNKEEPABLE } from '../../errno-codes.ts';
import { diskProblem, otherDiskThanBin } from '../../file-problems.ts';
import {
  type DirectoryHandle,
  ignoreGone,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import { isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import type { PublishTarget } from '../publish/target.ts';
import type { RunChange } from './change-queues.ts';
import { type Entry, type FoundEntry, findEntry, hostPathOf, moveEntry } from './entries.ts';
import { BIN, sizeOfFolder } from './list-tree.ts';

/*
 * The bin of a media root is its folder `.telecine/bin/DAY/ENTRY`. An entry has one deleted file or folder, at the path where it was. The name of
 * the entry says the rest: `TIME-RANDOM-DEPTH-BYTES`. So nothing else must be stored, and a change of the name puts a file into the bin or back. Of a restore and
 * a purge, also by another service, the one that takes the file or folder out of the entry wins.
 */

interface Id extends BinItem {
  readonly day: string;
  readonly name: string;
  /** The number of folders above the deleted file or folder. */
  readonly depth: number;
}

const ID = /^(\d{4}-\d\d-\d\d)\.((\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-f]{12}-(\d{1,4})-(\d{1,16}))$/;

function parseId(entryId: string): Id | undefined {
  const [, day, name = '', hours, minutes, seconds, ms, depth, bytes] = ID.exec(entryId) ?? [];
  if (day === undefined) return undefined;
  const deletedAt = new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return { entryId, day, name, depth: Number(depth), bytes: Number(bytes), deletedAt };
}

/** Opens the bin. undefined: it is missing. */
async function openBin({ root }: RootBoundary): Promise<DirectoryHandle | undefined> {
  await using folder = await openDirectory(root);
  return await openNested(folder, BIN).catch(ignoreGone);
}

/** A new entry: the place for what is deleted. Dispose of it in the end: the bin is open. */
interface NewEntry extends Entry, AsyncDisposable {
  readonly entry: BinEntry;
}

/**
 * Makes an entry for `path`, which ends with a slash if it is a folder. Only the user of the service has access to the bin, so no path in it has a
 * symlink. Flushes the new folders: otherwise, a crash of the machine could lose them after the old name of what is deleted.
 */
async function makeEntry(boundary: RootBoundary, path: string, bytes: number): Promise<NewEntry> {
  const deletedAt = new Date();
  const [day = '', time = ''] = deletedAt.toISOString().split('T');
  const names = path.replace(/\/$/, '').split('/');
  const name = `${time.replace(/\D/g, '')}-${randomBytes(6).toString('hex')}-${names.length - 1}-${bytes}`;
  await using root = await openDirectory(boundary.root);
  const open = async (): Promise<DirectoryHandle> => {
    await using top = await openPrivate(root, BIN[0]);
    return await openPrivate(top, BIN[1]);
  };
  let folder = await open().catch((cause: unknown) => {
    if (errnoOf(cause) !== '') throw cause;
    throw new Problem('STORAGE_FAULT', 'The bin of your media root cannot be used. Ask the operator to check it.', {
      cause,
    });
  });
  const folders = [day, name, ...names.slice(0, -1)];
  try {
    await mkdir(folder.pathOf(folders.join('/')), { recursive: true, mode: 0o700 });
    for (const each of folders) {
      await using parent = folder;
      await parent.sync();
      folder = await openNested(parent, [each]);
    }
  } catch (error) {
    await folder.close();
    throw error;
  }
  const entry = { entryId: `${day}.${name}`, path, bytes, deletedAt };
  return { folder, path: folder.pathOf(names.at(-1) ?? ''), entry, [Symbol.asyncDispose]: folder.close };
}

/** Moves a file or folder into the bin; see `FileStore.keepInBin`. */
export async function keepInBin(
  runChange: RunChange,
  boundary: RootBoundary,
  path: MediaPath,
  { isFolder, check, by }: Parameters<FileStore['keepInBin']>[2],
): Promise<BinEntry> {
  const find = () => findEntry(boundary, path, { isFolder, check });
  const folderSize = async (): Promise<number> => {
    await using folder = await find();
    return await sizeOfFolder(boundary, hostPathOf(folder), by?.hangUp ?? NEVER);
  };
  try {
    // Other changes do not wait while a large folder is added up.
    const folderBytes = isFolder ? await folderSize() : 0;
    return await runChange(boundary, [path], async () => {
      await using source = await find();
      const [was, bytes] = isFolder ? [`${path}/`, folderBytes] : [path, Number(source.own.size)];
      await using made = await makeEntry(boundary, was, bytes);
      await moveEntry(source, made).catch(async (error: unknown) => {
        // After an error of a flush, the file is in the entry already.
        if ((await lstatIfExists(made.path)) === undefined) await removeKept(boundary, made.entry);
        throw error;
      });
      return made.entry;
    });
  } catch (error) {
    // EBUSY: a disk is mounted on the folder.
    const isOnOtherDisk = ['EXDEV', 'EBUSY'].includes(errnoOf(error));
    throw diskProblem(path, 'moving the file to the bin', isOnOtherDisk ? otherDiskThanBin() : error);
  }
}

/** Lists the entries by their names, the newest first; see `FileStore.listBin`. */
export async function listBin(boundary: RootBoundary): Promise<readonly BinItem[]> {
  await using bin = await openBin(boundary);
  const items = new Map<string, BinItem>();
  for (const day of bin === undefined ? [] : await readdir(bin.pathOf('.')))
    for (const name of (await readdir(`${bin?.pathOf(day)}`).catch(ignoreErrno(...MISSING))) ?? []) {
      const id = parseId(`${day}.${name.replace(DELETED, '')}`);
      if (id !== undefined) items.set(id.entryId, { entryId: id.entryId, bytes: id.bytes, deletedAt: id.deletedAt });
    }
  return [...items.values()].sort((a, b) => (a.entryId < b.entryId ? 1 : -1));
}

/** A file or folder in the bin. */
interface KeptEntry extends FoundEntry {
  readonly entry: BinEntry;
}

/** Finds what an entry has kept. undefined: there is no such entry, or it is empty. */
export async function openKept(boundary: RootBoundary, entryId: string): Promise<KeptEntry | undefined> {
  const id = parseId(entryId);
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(id && (await openBin(boundary)));
  if (id === undefined || folder === undefined) return undefined;
  const names: string[] = [];
  const find = (): string => folder.pathOf([id.day, id.name, ...names].join('/'));
  while (names.length <= id.depth) {
    const [name] = (await readdir(find()).catch(ignoreErrno(...MISSING))) ?? [];
    if (name === undefined) return undefined;
    names.push(name);
  }
  const own = await lstatIfExists(find());
  if (own === undefined) return undefined;
  const entry = { ...id, path: names.join('/') + (own.isDirectory() ? '/' : '') };
  const handles = opened.move();
  return {
    folder,
    path: find(),
    own,
    stats: own,
    checkAgain: () => {},
    entry,
    [Symbol.asyncDispose]: () => handles.disposeAsync(),
  };
}

/** Returns where the file or folder of an entry was; see `FileStore.pathInBin`. */
export async function pathInBin(boundary: RootBoundary, entryId: string): Promise<string | undefined> {
  await using found = await openKept(boundary, entryId);
  return found?.entry.path;
}

/** The end of the name of a file or folder that is being deleted. After a crash or an error, `listBin` has its entry, so that it is deleted later. */
const DELETED = '.deleted';

/** Deletes an entry; see `FileStore.purgeFromBin`. Other changes do not wait until the files of a large folder are deleted. */
export async function purgeFromBin(
  runChange: RunChange,
  boundary: RootBoundary,
  entryId: string,
): Promise<number | undefined> {
  const id = parseId(entryId);
  if (id === undefined) return undefined;
  const root = '' as MediaPath;
  try {
    const isTaken = await runChange(boundary, [root], async () => {
      await using kept = await openKept(boundary, entryId);
      if (kept === undefined) return false;
      const deleted = kept.folder.pathOf(`${id.day}/${id.name}${DELETED}`);
      return await rename(kept.path, deleted).then(() => true, ignoreErrno('ENOENT'));
    });
    await removeKept(boundary, id);
    return isTaken === true ? id.bytes : undefined;
  } catch (error) {
    throw diskProblem(root, 'emptying the bin', error);
  }
}

/** Deletes what is left of an entry, and the folder of its day if that is empty. */
export async function removeKept(boundary: RootBoundary, { entryId }: Pick<BinItem, 'entryId'>): Promise<void> {
  const [day = '', name = ''] = entryId.split('.');
  await using bin = await openBin(boundary);
  if (bin === undefined) return;
  for (const each of [name, name + DELETED]) await rm(bin.pathOf(`${day}/${each}`), { recursive: true, force: true });
  await rmdir(bin.pathOf(day)).catch(() => undefined);
}

/** A file in the bin that is about to be replaced. Dispose of it in the end: it has open folders. */
interface ReplacedFile extends AsyncDisposable {
  readonly entry: BinEntry;
  /**
   * Whether the path still has the file that is in the bin. Call this directly before a rename over the path: another
   * service on the same disk has no lock in common with this one, and may have replaced the file. (Linux can exchange two
   * names in one step, `RENAME_EXCHANGE`, but Node cannot.)
   */
  isCurrent(): Promise<boolean>;
  /** Takes the file out of the bin again, because nothing has replaced it. Resolves to `reason`. */
  undo<T>(reason: T): Promise<T>;
}

/**
 * Gives a file that an upload is about to replace a second name in the bin: the path is never without a file. On a disk without hard links, moves
 * the file. Throws file system errors; the file is then still at its path.
 */
async function linkIntoBin(
  boundary: RootBoundary,
  { real, name }: Pick<PublishTarget, 'real' | 'name'>,
  { path, sizeBytes }: Pick<FileFacts, 'path' | 'sizeBytes'>,
): Promise<ReplacedFile> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await openDirectory(real));
  const made = opened.use(await makeEntry(boundary, path, sizeBytes));
  const file = { folder, path: folder.pathOf(name) };
  let hasLinks = true;
  try {
    await link(file.path, made.path).catch(async (error: unknown) => {
      if (!NO_LINK.has(errnoOf(error))) throw error;
      await rename(file.path, made.path);
      hasLinks = false;
    });
  } catch (error) {
    await removeKept(boundary, made.entry);
    throw error;
  }
  await made.folder.sync();
  const own = await lstat(made.path, { bigint: true });
  const handles = opened.move();
  return {
    entry: made.entry,
    isCurrent: async () => {
      const current = await lstatIfExists(file.path);
      return hasLinks ? current !== undefined && isSameFile(own, current) : current === undefined;
    },
    undo: async (reason) => {
      // If another file has taken the path of one that was moved, it stays in the bin. So it does after an error here.
      if (hasLinks || (await moveEntry({ ...made, own, checkAgain: () => {} }, file).catch(() => false)))
        await removeKept(boundary, made.entry).catch(() => undefined);
      return reason;
    },
    [Symbol.asyncDispose]: () => handles.disposeAsync(),
  };
}

/** See `linkIntoBin`. Resolves to undefined if the bin cannot take the file: it is replaced all the same. */
export const keepReplaced = (...args: Parameters<typeof linkIntoBin>): Promise<ReplacedFile | undefined> =>
  linkIntoBin(...args).catch(ignoreErrno(...UNKEEPABLE));
