import { randomBytes } from 'node:crypto';
import { link, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type {
  BinEntry,
  BinItem,
  ChangedBy,
  FileCheck,
  FileFacts,
  OldBinEntry,
  Restored,
} from '../../../files/ports.ts';
import { lstatIfExists, UNKEEPABLE } from '../../errno-codes.ts';
import { fileExists, folderExists, noBinEntry, otherDisk, otherDiskThanBin } from '../../file-problems.ts';
import {
  allEnded,
  type DirectoryHandle,
  ignoreGone,
  openDirectory,
  openNested,
  openPrivate,
} from '../../scratch/directory-handle.ts';
import { factsOf, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, type PublishTarget, statTarget } from '../publish/target.ts';
import type { RunChange } from './change-queues.ts';
import { checkMoved, openSource } from './checked-entry.ts';
import { type Entry, linkNew, renameOver } from './entries.ts';
import { findFolder, throwAt } from './move.ts';
import { openFolder, withFolders } from './new-folders.ts';
import type { RemoveDeps } from './remove-file.ts';
import { BIN, sizeOfFolder } from './walk.ts';

/*
 * The bin of a media root is its folder `.telecine/bin/DAY/ENTRY`. An entry has one deleted file or folder, at the path where it was. The name of
 * the entry says the rest: `TIME-RANDOM-DEPTH-BYTES`. So nothing else must be stored, and a rename puts a file into the bin or back.
 */

interface Id extends BinItem {
  readonly day: string;
  readonly name: string;
  /** The number of folders above the deleted file or folder. */
  readonly depth: number;
}

const ID = /^(\d{4}-\d\d-\d\d)\.((\d\d)(\d\d)(\d\d)(\d{3})-[0-9a-f]{12}-(\d{1,4})-(\d{1,16}))$/;

function newId(depth: number, bytes: number): Id {
  const deletedAt = new Date();
  const [day = '', time = ''] = deletedAt.toISOString().split('T');
  const name = `${time.replace(/\D/g, '')}-${randomBytes(6).toString('hex')}-${depth}-${bytes}`;
  return { entryId: `${day}.${name}`, day, name, depth, bytes, deletedAt };
}

function parseId(entryId: string): Id | undefined {
  const [, day, name, hours, minutes, seconds, ms, depth, bytes] = ID.exec(entryId) ?? [];
  if (day === undefined || name === undefined) return undefined;
  const deletedAt = new Date(`${day}T${hours}:${minutes}:${seconds}.${ms}Z`);
  return { entryId, day, name, depth: Number(depth), bytes: Number(bytes), deletedAt };
}

/** Opens a folder in the bin. undefined: it is missing. Throws UNAVAILABLE if its disk does not reply. */
const openBin = ({ root, disks }: RootBoundary, names: readonly string[] = []): Promise<DirectoryHandle | undefined> =>
  disks.call(
    root,
    async () => {
      await using folder = await openDirectory(root);
      return await openNested(folder, [...BIN, ...names]).catch(ignoreGone);
    },
    { discard: (late) => late?.close() },
  );

/** A new entry: the place for what is deleted. Dispose of it in the end: its folder is open. */
interface NewEntry extends Entry, AsyncDisposable {
  readonly entry: BinEntry;
  /** Removes the entry, with what is in it. */
  remove(): Promise<void>;
}

/**
 * Makes an entry for `path`, which ends with a slash if it is a folder. Flushes nothing: the flush of its folder, after the rename, also writes
 * the folders above it, because file systems with a journal keep the order of changes.
 */
async function makeEntry(boundary: RootBoundary, path: string, bytes: number): Promise<NewEntry> {
  const names = path.replace(/\/$/, '').split('/');
  const last = names.pop() ?? '';
  const id = newId(names.length, bytes);
  let folder = await openDirectory(boundary.root);
  for (const name of [...BIN, id.day, id.name, ...names]) {
    const parent = folder;
    folder = await openPrivate(parent, name).catch(throwUnusable).finally(parent.close);
  }
  const remove = async () => void (await removeEntry(boundary, id));
  const { entryId, deletedAt } = id;
  const entry = { entryId, path, bytes, deletedAt };
  return { folder, path: folder.pathOf(last), entry, remove, [Symbol.asyncDispose]: () => folder.close() };
}

/**
 * Removes an entry after an error, and throws the error. If the error came after the rename, such as one of a flush, the entry has what was
 * deleted. After a failed check, it can have the file of another program.
 */
async function removeIfEmpty(made: NewEntry, error: unknown): Promise<never> {
  if ((await lstatIfExists(made.path)) === undefined) await made.remove();
  throw error;
}

/** Throws STORAGE_FAULT if something else is at the path of the bin, or if the bin belongs to another user. */
function throwUnusable(cause: unknown): never {
  if (errnoOf(cause) !== '') throw cause;
  throw new Problem('STORAGE_FAULT', 'The bin of your media root cannot be used. Ask the operator to check it.', {
    cause,
  });
}

/** Moves a file or folder into the bin by one rename; see `FileStore.keepInBin`. */
export async function keepInBin(
  { runChange, log }: Pick<RemoveDeps, 'runChange' | 'log'>,
  boundary: RootBoundary,
  path: MediaPath,
  {
    isFolder,
    check,
    by,
  }: { readonly isFolder: boolean; readonly check?: FileCheck | undefined; readonly by?: ChangedBy },
): Promise<BinEntry> {
  const openFile = () => openSource(boundary, path, check).catch(throwAt('/path', path, 'deleting the file'));
  const keepFile = async (): Promise<BinEntry> => {
    await using source = await openFile();
    await using made = await makeEntry(boundary, path, Number(source.own.size));
    try {
      await renameOver(source, made);
      await checkMoved(log, source, made, source.checkAgain);
    } catch (error) {
      return await removeIfEmpty(made, error);
    }
    return made.entry;
  };
  const keepFolder = async (bytes: number): Promise<BinEntry> => {
    const { real, name } = await findFolder(boundary, path);
    await using folder = await openDirectory(real);
    await using made = await makeEntry(boundary, `${path}/`, bytes);
    await renameOver({ folder, path: folder.pathOf(name) }, made).catch((error) => removeIfEmpty(made, error));
    return made.entry;
  };
  try {
    if (!isFolder) return await runChange(boundary, [path], keepFile);
    const { real, name } = await findFolder(boundary, path);
    const bytes = await sizeOfFolder(boundary, { real: join(real, name), path: `${path}/` }, by?.hangUp ?? NEVER);
    return await runChange(boundary, [path], () => keepFolder(bytes));
  } catch (error) {
    // EBUSY: a disk is mounted on the folder.
    const isOnOtherDisk = ['EXDEV', 'EBUSY'].includes(errnoOf(error));
    return throwAt('/path', path, 'moving the file to the bin')(isOnOtherDisk ? otherDiskThanBin() : error);
  }
}

/** Lists the entries by their names, the newest first; see `FileStore.listBin`. */
export async function listBin(boundary: RootBoundary): Promise<readonly BinItem[]> {
  await using bin = await openBin(boundary);
  const items: Id[] = [];
  for (const day of bin === undefined ? [] : await readdir(bin.pathOf('.')))
    for (const name of (await readdir(`${bin?.pathOf(day)}`).catch(ignoreErrno('ENOENT', 'ENOTDIR'))) ?? [])
      items.push(...[parseId(`${day}.${name.replace(DELETED, '')}`)].flatMap((id) => id ?? []));
  return items
    .sort((a, b) => (a.entryId < b.entryId ? 1 : -1))
    .map(({ entryId, bytes, deletedAt }) => ({ entryId, bytes, deletedAt }));
}

/** A file or folder in the bin. Dispose of it in the end: its folder is open. */
interface KeptEntry extends Entry, AsyncDisposable {
  readonly id: Id;
  readonly stats: NonNullable<Awaited<ReturnType<typeof lstatIfExists>>>;
  /** Where it was. */
  readonly was: string;
}

/** Finds what an entry has kept. undefined: there is no such entry, or a crash has left it empty. */
async function openEntry(boundary: RootBoundary, entryId: string): Promise<KeptEntry | undefined> {
  const id = parseId(entryId);
  let folder = id && (await openBin(boundary, [id.day, id.name]));
  const names: string[] = [];
  while (id !== undefined && folder !== undefined) {
    const current: DirectoryHandle = folder;
    const [name] = await readdir(current.pathOf('.'));
    const path = current.pathOf(name ?? '.');
    const stats = name === undefined ? undefined : await lstatIfExists(path);
    if (name !== undefined && stats !== undefined && names.length === id.depth) {
      const was = [...names, name].join('/') + (stats.isDirectory() ? '/' : '');
      return { folder, path, id, stats, was, [Symbol.asyncDispose]: () => current.close() };
    }
    folder = name === undefined ? undefined : await openNested(current, [name]).catch(ignoreGone);
    names.push(name ?? '');
    await current.close();
  }
  return undefined;
}

/** Returns where the file or folder of an entry was; see `FileStore.pathInBin`. */
export async function pathInBin(boundary: RootBoundary, entryId: string): Promise<string | undefined> {
  await using found = await openEntry(boundary, entryId);
  return found?.was;
}

/** Moves an entry to a path; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  runChange: RunChange,
  boundary: RootBoundary,
  entryId: string,
  to: MediaPath,
  { replace }: { readonly replace: boolean },
): Promise<Restored> {
  const throwProblem = (error: unknown) =>
    throwAt('/to', to, 'restoring the file')(errnoOf(error) === 'EXDEV' ? otherDisk() : error);
  const restore = async (): Promise<Restored> => {
    await using kept = await openEntry(boundary, entryId);
    if (kept === undefined) throw noBinEntry(entryId);
    const { id, stats } = kept;
    const isFolder = stats.isDirectory();
    const found = isFolder ? { target: await findPublishTarget(boundary, to) } : await statTarget(boundary, to);
    await using folder = await openFolder(found.target);
    const target = { folder, path: folder.pathOf(found.target.name) };
    const before = 'stats' in found ? found.stats : undefined;
    let replaced: BinEntry | undefined;
    if (isFolder) {
      // A rename would replace an empty folder.
      if ((await lstatIfExists(target.path)) !== undefined) throw folderExists(to);
      await renameOver(kept, target);
    } else if (replace && before !== undefined) {
      await using old = await linkIntoBin(boundary, found.target, factsOf(to, before));
      if (!(await old.isCurrent())) throw await old.undo(replacedMeanwhile());
      await renameOver(kept, target).catch(async (error: unknown) => {
        // After the rename, such as an error of a flush, the bin has the only name of the old file.
        throw (await old.isCurrent()) ? await old.undo(error) : error;
      });
      replaced = old.entry;
    } else if (!(await linkNew(kept, target))) throw fileExists(to);
    await removeEntry(boundary, id);
    const entry = isFolder
      ? ({ kind: 'folder', path: `${to}/` } as const)
      : ({ kind: 'file', ...factsOf(to, stats) } as const);
    return { entry, replaced, bytes: id.bytes };
  };
  const change = () => runChange(boundary, [to], () => restore().catch(throwProblem));
  return withFolders(boundary, to, throwProblem, change, async () => {
    return (await pathInBin(boundary, entryId)) !== undefined;
  });
}

const replacedMeanwhile = (): Problem =>
  new Problem(
    'UNAVAILABLE',
    'Other requests replaced the file at this path at the same time. Send the request again.',
    {
      retryAfterSeconds: 1,
    },
  );

/** Deletes an entry; see `FileStore.purgeFromBin`. Other changes do not wait until the files of a large folder are deleted. */
export async function purgeFromBin(runChange: RunChange, boundary: RootBoundary, entryId: string): Promise<number> {
  const id = parseId(entryId);
  if (id === undefined) return 0;
  const root = '' as MediaPath;
  const inTurn = (step: () => Promise<unknown>) => runChange(boundary, [root], step);
  return removeEntry(boundary, id, inTurn).catch(throwAt('/path', root, 'emptying the bin'));
}

/** The end of the name of an entry that is being deleted. After a crash or an error, `listBin` still has it, so that it is deleted later. */
const DELETED = '.deleted';

/**
 * Deletes an entry, and the folder of its day if that is empty. Renames it first, so that a restore finds all files of a folder or none.
 *
 * @param inTurn Runs a step while nothing else changes files.
 */
async function removeEntry(
  boundary: RootBoundary,
  { day, name, bytes }: Id,
  inTurn: (step: () => Promise<unknown>) => Promise<unknown> = (step) => step(),
): Promise<number> {
  await using bin = await openBin(boundary);
  await using folder = bin && (await openNested(bin, [day]).catch(ignoreGone));
  if (bin === undefined || folder === undefined) return 0;
  const deleted = folder.pathOf(name + DELETED);
  let freed = 0;
  await inTurn(async () => {
    if (await rename(folder.pathOf(name), deleted).then(() => true, ignoreErrno('ENOENT'))) freed = bytes;
  });
  await rm(deleted, { recursive: true, force: true });
  await inTurn(() => rmdir(bin.pathOf(day)).catch(() => undefined));
  return freed;
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
 * Gives a file a second name in the bin, so that a new file can replace the first name: the path is never without a file.
 * On a disk without hard links, moves the file. Throws file system errors; the file is then still at its path.
 */
async function linkIntoBin(
  boundary: RootBoundary,
  { real, name }: Pick<PublishTarget, 'real' | 'name'>,
  old: FileFacts,
): Promise<ReplacedFile> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await openDirectory(real));
  const made = opened.use(await makeEntry(boundary, old.path, old.sizeBytes));
  const file = { folder, path: folder.pathOf(name) };
  const isMoved = await link(file.path, made.path)
    .then(
      () => false,
      async (error: unknown) => {
        if (!NO_LINK.has(errnoOf(error))) throw error;
        await rename(file.path, made.path);
        return true;
      },
    )
    .catch((error) => removeIfEmpty(made, error));
  await made.folder.sync();
  const handles = opened.move();
  return {
    entry: made.entry,
    isCurrent: async () => {
      const [kept, current] = await allEnded([lstatIfExists(made.path), lstatIfExists(file.path)]);
      if (kept === undefined) return false;
      return isMoved ? current === undefined : current !== undefined && isSameFile(kept, current);
    },
    undo: async (reason) => {
      // If another file has taken the path of one that was moved, it stays in the bin. So it does after an error here.
      const isBack = !isMoved || (await linkNew(made, file).catch(() => false));
      if (isBack) await made.remove().catch(() => undefined);
      return reason;
    },
    [Symbol.asyncDispose]: () => handles.disposeAsync(),
  };
}

/** Keeps a file that an upload is about to replace. Resolves to undefined if the bin cannot take it: it is replaced all the same. */
export const keepReplaced = (...args: Parameters<typeof linkIntoBin>): Promise<ReplacedFile | undefined> =>
  linkIntoBin(...args).catch(ignoreErrno(...UNKEEPABLE));

/** Moves an entry of version 0.1, whose file or folder is at `.telecine-bin/ID/content`; see `FileStore.moveOldBin`. */
export async function moveOldBin(boundary: RootBoundary, { entryId, path, data }: OldBinEntry): Promise<boolean> {
  const { root = boundary.root } = JSON.parse(data || '{}') as { readonly root?: string };
  if (root !== boundary.root) return false;
  const old = `${RESERVED_PREFIX}-bin`;
  await using top = await openDirectory(root);
  await using folder = await openNested(top, [old, entryId]).catch(ignoreGone);
  if (folder === undefined) return false;
  const content = folder.pathOf('content');
  const stats = await lstatIfExists(content);
  if (stats === undefined) return false;
  const bytes = stats.isDirectory()
    ? await sizeOfFolder(boundary, { real: join(folder.real, 'content'), path }, NEVER)
    : Number(stats.size);
  await using made = await makeEntry(boundary, path, bytes);
  await renameOver({ folder, path: content }, made);
  for (const empty of [`${old}/${entryId}`, old]) await rmdir(top.pathOf(empty)).catch(() => undefined);
  return true;
}
