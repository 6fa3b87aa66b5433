import { basename } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Problem } from '@telecine/contract/domain/problem.ts';
import { noBinEntry } from '@telecine/contract/domain/stored-files.ts';
import type { BinEntry, FileFacts, FileStore, Restored } from '../../../files/ports.ts';
import { lstatIfExists, rethrow } from '../../errno-codes.ts';
import {
  diskProblem,
  fileExists,
  fileNotFound,
  folderExists,
  folderNotFound,
  notAFile,
  otherDisk,
  problemAt,
  replacedMeanwhile,
  sameFile,
} from '../../file-problems.ts';
import { makeDirectories, openDirectory, requireFewFolders } from '../../scratch/directory-handle.ts';
import { factsOf, fileIdOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, type PublishTarget, statTarget } from '../publish/target.ts';
import { type ChangeDeps, linkIntoBin, openEntry, removeEntry } from './bin.ts';
import type { RunChange } from './change-queues.ts';
import { type CheckedEntry, type Entry, moveEntry, openFile, openFolderEntry, renameOver } from './entries.ts';
import { openFolder, withFolders } from './new-folders.ts';

const throwAt = (field: '/from' | '/to' | '/path', path: MediaPath, action: string) =>
  rethrow((error) => problemAt(field, diskProblem(path, action, error)));

interface Moving {
  readonly paths: readonly [MediaPath, ...MediaPath[]];
  readonly to: MediaPath;
  /** Opens what moves. Throws the problems that a client gets. */
  readonly open: () => Promise<CheckedEntry>;
  /** The problem if another program, or another service, takes it away meanwhile. */
  readonly gone: Problem;
  readonly replace: boolean;
  /** Puts a file that is replaced into the bin. */
  readonly keepsReplaced?: boolean;
  /** Completes "failed while …". */
  readonly action: string;
}

/** Moves a file or folder to a path of a client, and creates missing folders there. */
async function moveTo(
  deps: ChangeDeps,
  boundary: RootBoundary,
  { paths, to, open, gone, replace, keepsReplaced = false, action }: Moving,
): Promise<{ readonly facts: FileFacts | undefined; readonly replaced: BinEntry | undefined }> {
  const throwProblem = (error: unknown) => throwAt('/to', to, action)(moveProblem(to, error));
  const place = async (source: CheckedEntry): Promise<BinEntry | undefined> => {
    const isFolder = source.own.isDirectory();
    const { target, taken, stats } = isFolder
      ? { target: await findPublishTarget(boundary, to), taken: false, stats: undefined }
      : { stats: undefined, ...(await statTarget(boundary, to)) };
    if (taken && !replace) throw fileExists(to);
    await using folder = await openFolder(target);
    const entry = { folder, path: folder.pathOf(target.name) };
    if (isFolder) {
      // A rename would replace an empty folder.
      if ((await lstatIfExists(entry.path)) !== undefined) throw folderExists(to);
      await renameOver(source, entry);
      return undefined;
    }
    if (await isSameEntry(source, entry)) throw sameFile(to);
    await using old = keepsReplaced && stats ? await linkIntoBin(boundary, target, factsOf(to, stats)) : undefined;
    if (old !== undefined && !(await old.isCurrent())) throw await old.undo(replacedMeanwhile());
    const isMoved = await moveEntry(source, entry, keepsReplaced ? old !== undefined : replace, deps.log).catch(
      // After the rename, such as an error of a flush, the bin has the only name of the old file.
      async (error: unknown) => {
        throw (await old?.isCurrent()) === true ? await old?.undo(error) : error;
      },
    );
    if (!isMoved) throw fileExists(to);
    return old?.entry;
  };
  const change = () =>
    deps.runChange(boundary, paths, async () => {
      await using source = await open();
      const replaced = await place(source).catch(async (error: unknown) => {
        const isGone = errnoOf(error) === 'ENOENT' && (await lstatIfExists(source.path)) === undefined;
        return throwProblem(isGone ? gone : error);
      });
      const stats = source.stats ?? source.own;
      return { facts: stats.isDirectory() ? undefined : factsOf(to, stats), replaced };
    });
  return withFolders(boundary, to, throwProblem, change, async () => {
    await (await open())[Symbol.asyncDispose]();
    return true;
  });
}

/** Returns whether two paths are one name in one folder, which a symlink to a folder shows at two paths. */
async function isSameEntry(source: Entry, target: Entry): Promise<boolean> {
  if (basename(source.path) !== basename(target.path)) return false;
  return fileIdOf(await source.folder.stats()) === fileIdOf(await target.folder.stats());
}

/** Converts errors of `rename` and `link`: the new path is taken, or is on another disk. */
function moveProblem(to: MediaPath, error: unknown): unknown {
  const errno = errnoOf(error);
  if (['EEXIST', 'ENOTEMPTY'].includes(errno)) return folderExists(to);
  // EBUSY: a disk is mounted on the folder.
  if (errno === 'EXDEV' || errno === 'EBUSY') return otherDisk();
  // EINVAL: a symlink in the new path leads into the folder itself.
  return errno === 'EINVAL' ? notAFile(to) : error;
}

/** Moves a file; see `FileStore.move`. If the last name of `from` is a symlink, moves only the symlink. */
export async function moveFile(
  deps: ChangeDeps,
  boundary: RootBoundary,
  from: MediaPath,
  to: MediaPath,
  { replace, check }: Parameters<FileStore['move']>[3],
): Promise<FileFacts> {
  const [action, gone] = ['moving the file', fileNotFound(from)];
  const open = async (): Promise<CheckedEntry> => {
    const source = await openFile(boundary, from, check).catch(throwAt('/from', from, action));
    if (source.stats !== undefined) return source;
    await source.folder.close();
    throw gone;
  };
  const { facts } = await moveTo(deps, boundary, { paths: [from, to], to, open, gone, replace, action });
  return facts ?? Promise.reject(gone);
}

/** Moves a folder by one rename; see `FileStore.moveFolder`. Rejects a symlink to a folder. */
export async function moveFolder(
  deps: ChangeDeps,
  boundary: RootBoundary,
  from: MediaPath,
  to: MediaPath,
  { before }: Parameters<FileStore['moveFolder']>[3] = {},
): Promise<void> {
  const action = 'moving the folder';
  const open = async (): Promise<CheckedEntry> => {
    await before?.();
    return openFolderEntry(boundary, from).catch(throwAt('/from', from, action));
  };
  const gone = folderNotFound(from);
  await moveTo(deps, boundary, { paths: [from, to], to, open, gone, replace: false, action });
}

/** Moves an entry to a path; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  deps: ChangeDeps,
  boundary: RootBoundary,
  entryId: string,
  to: MediaPath,
  { replace }: { readonly replace: boolean },
): Promise<Restored> {
  const [action, gone] = ['restoring the file', noBinEntry(entryId)];
  let bytes = 0;
  const open = async (): Promise<CheckedEntry> => {
    const kept = await openEntry(boundary, entryId).catch(throwAt('/to', to, action));
    if (kept === undefined) throw gone;
    bytes = kept.entry.bytes;
    return kept;
  };
  const moving = { paths: [to] as const, to, open, gone, replace, keepsReplaced: true, action };
  const { facts, replaced } = await moveTo(deps, boundary, moving);
  // What cannot be removed is an empty entry, which the sweep removes.
  await removeEntry(boundary, { entryId }).catch(() => undefined);
  const entry =
    facts === undefined ? ({ kind: 'folder', path: `${to}/` } as const) : { kind: 'file' as const, ...facts };
  return { entry, replaced, bytes };
}

/** Creates an empty folder; see `FileStore.createFolder`. */
export async function createFolder(runChange: RunChange, boundary: RootBoundary, path: MediaPath): Promise<void> {
  const throwProblem = throwAt('/path', path, 'creating the folder');
  const { missing, name } = await findFreeTarget(boundary, path).catch(throwProblem);
  const create = () =>
    runChange(boundary, [path], async () => {
      const target = await findFreeTarget(boundary, path);
      await using parent = await openFolder(target);
      await using _folder = await makeDirectories(parent.real, [name]);
    });
  try {
    requireFewFolders([...missing, name]);
    await withFolders(boundary, path, throwProblem, create);
  } catch (error) {
    throwProblem(error);
  }
}

/** Finds where a folder will be. Throws if something is there already, or a file is in the place of a folder above it. */
async function findFreeTarget(boundary: RootBoundary, path: MediaPath): Promise<PublishTarget> {
  const target = await findPublishTarget(boundary, path);
  if (target.missing.length > 0) return target;
  await using folder = await openDirectory(target.real);
  if ((await lstatIfExists(folder.pathOf(target.name))) !== undefined) throw folderExists(path);
  return target;
}
