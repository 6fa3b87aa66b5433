import { randomBytes } from 'node:crypto';
import { link, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { noBinEntry } from '@telecine/contract/domain/stored-files.ts';
import type { BinEntry, BinItem, FileFacts } from '../../../files/ports.ts';
import { lstatIfExists, MISSING, rethrow, TargetError, UNKEEPABLE } from '../../errno-codes.ts';
import { diskProblem } from '../../file-problems.ts';
import {
  type DirectoryHandle,
  ignoreGone,
  makeDirectories,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import type { PublishTarget } from '../publish/target.ts';
import type { RunChange } from './change-queues.ts';
import { type Entry, type FoundEntry, moveEntry } from './entries.ts';
import { BIN } from './list-tree.ts';

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

/**
 * Adds an entry for `path`, which ends with a slash if it is a folder. `fill` moves or links it into the entry. Only the user of the service has
 * access to the bin, so no path in it has a symlink. The new folders are flushed before: otherwise, a crash of the machine could lose them after
 * the old name of what is deleted.
 */
export async function addEntry(
  boundary: RootBoundary,
  path: string,
  bytes: number,
  fill: (entry: Entry) => Promise<void>,
): Promise<BinEntry> {
  const deletedAt = new Date();
  const [day = '', time = ''] = deletedAt.toISOString().split('T');
  const names = path.replace(/\/$/, '').split('/');
  const name = `${time.replace(/\D/g, '')}-${randomBytes(6).toString('hex')}-${names.length - 1}-${bytes}`;
  const entry = { entryId: `${day}.${name}`, path, bytes, deletedAt };
  await using root = await openDirectory(boundary.root);
  await using top = await openPrivate(root, BIN[0]).catch(throwUnusable);
  await using bin = await openPrivate(top, BIN[1]).catch(throwUnusable);
  await using folder = await makeDirectories(bin.real, [day, name, ...names.slice(0, -1)]);
  const place = folder.pathOf(names.at(-1) ?? '');
  try {
    await fill({ folder, path: place });
    return entry;
  } catch (error) {
    // After an error of a flush, the file is in the entry already.
    if ((await lstatIfExists(place)) === undefined) await removeKept(boundary, entry);
    throw error;
  }
}

/** Converts the error of a folder that is a file or a symlink, or belongs to another user. */
const throwUnusable = rethrow((cause) => {
  const message = 'The bin of your media root cannot be used. Ask the operator to check it.';
  return errnoOf(cause) === '' ? new Problem('STORAGE_FAULT', message, { cause }) : cause;
});

/** Whether the path has more folders than the bin creates for an entry. */
export const isTooDeep = (error: unknown): boolean => error instanceof TargetError && error.conflict === 'new-folders';

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
    gone: noBinEntry(entryId),
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
      const deleted = kept?.folder.pathOf(`${id.day}/${id.name}${DELETED}`) ?? '';
      return kept && (await rename(kept.path, deleted).then(() => true, ignoreErrno('ENOENT')));
    });
    await removeKept(boundary, id);
    return isTaken ? id.bytes : undefined;
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

/** A file that an upload is about to replace. `isLinked`: the file has its own name too. */
export interface KeptFile {
  readonly entry: BinEntry;
  readonly isLinked: boolean;
}

type Replaced = Pick<PublishTarget, 'real' | 'name'>;

/**
 * Gives a file that an upload is about to replace a second name in the bin: the path is never without a file. If it cannot have one, as a file of
 * another user on many systems, moves it. undefined: the bin cannot take the file, and it is replaced all the same.
 */
export async function keepReplaced(
  boundary: RootBoundary,
  { real, name }: Replaced,
  { path, sizeBytes }: Pick<FileFacts, 'path' | 'sizeBytes'>,
): Promise<KeptFile | undefined> {
  let isLinked = true;
  const fill = async (entry: Entry): Promise<void> => {
    await using folder = await openDirectory(real);
    const file = folder.pathOf(name);
    await link(file, entry.path).catch(async (error: unknown) => {
      if (!NO_LINK.has(errnoOf(error))) throw error;
      await rename(file, entry.path);
      isLinked = false;
    });
    await entry.folder.sync();
  };
  const entry = await addEntry(boundary, path, sizeBytes, fill).catch((error: unknown): undefined => {
    if (!isTooDeep(error) && !UNKEEPABLE.includes(errnoOf(error))) throw error;
  });
  return entry && { entry, isLinked };
}

/** Undoes `keepReplaced` if the file was not replaced after all. A file that was moved stays in the bin only if its path has got another one. */
export async function putBack(boundary: RootBoundary, { real, name }: Replaced, { entry, isLinked }: KeptFile) {
  if (!isLinked) {
    await using kept = await openKept(boundary, entry.entryId);
    await using folder = await openDirectory(real);
    if (kept === undefined || !(await moveEntry(kept, { folder, path: folder.pathOf(name) }))) return;
  }
  await removeKept(boundary, entry);
}
