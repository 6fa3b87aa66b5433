import { link, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { errnoOf, ignoreErrno, NO_LINK } from '@telecine/contract/domain/errno.ts';
import type { JobOutput } from '@telecine/contract/domain/job.ts';
import { MISSING, REPLACED, TargetError } from '../../errno-codes.ts';
import { outputFailure, storageFailure } from '../../job-failures.ts';
import { DirectoryMoved, openDirectory, syncAll } from '../../scratch/directory-handle.ts';
import { stagedName } from '../../scratch/scratch.ts';
import { fingerprintOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import {
  deleteReservation,
  directoriesOf,
  type FinishedFolders,
  type PublishFailpoint,
  type PublishFile,
  type PublishList,
  type PublishState,
  publishStateOf,
  recordReservation,
  withPublishFiles,
} from './publish-state.ts';
import { findPublishTarget } from './target.ts';

/** Publishes the outputs of a job; see `publishFiles`. Throws OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT. */
export async function publish(
  failpoint: PublishFailpoint,
  finished: FinishedFolders | undefined,
  list: PublishList,
): Promise<boolean> {
  try {
    return await publishFiles(failpoint, finished, list);
  } catch (error) {
    throw outputFailure(list.files.at(-1)?.path ?? '', error);
  }
}

/**
 * Publishes all files at their targets. Can be repeated after a crash at any point. Resolves to false if a finished
 * file is missing. Throws TargetError, DirectoryMoved and file system errors.
 *
 * After an error, published files stay: another worker may have completed the job, and only the function that calls
 * this one can find that out.
 *
 * @param mayReplace Called directly before a file takes the place of another one. false: the path is taken (TargetError).
 */
export const publishFiles = (
  failpoint: PublishFailpoint,
  finished: FinishedFolders | undefined,
  list: PublishList,
  mayReplace = async (): Promise<boolean> => true,
): Promise<boolean> =>
  withPublishFiles(finished, list, async (files, errors) => {
    for (const error of errors) if (!MISSING.has(errnoOf(error))) throw error;
    const published = errors.length === 0 && (await linkAll({ failpoint, mayReplace }, files, list));
    if (published) await syncAll(directoriesOf(files));
    return published;
  });

interface PublishHooks {
  readonly failpoint: PublishFailpoint;
  readonly mayReplace: () => Promise<boolean>;
}

/**
 * Publishes files one after the other. First checks the states of all of them, so that a conflict is found before any
 * file changes.
 */
async function linkAll(
  hooks: PublishHooks,
  files: readonly PublishFile[],
  { scratchDir, replace }: PublishList,
): Promise<boolean> {
  const states: PublishState[] = [];
  for (const file of files) states.push(await publishStateOf(file));
  if (states.includes('lost')) return false;
  for (const [i, file] of files.entries()) checkState(file, states[i], replace);
  for (const [i, file] of files.entries()) {
    if (states[i] === 'published') continue;
    if (await linkIntoPlace(hooks, file, basename(scratchDir), replace, states[i] === 'reserved')) continue;
    // The state has changed since the check. Read the state again: another worker that recovers the same job may have
    // published the file.
    const state = await publishStateOf(file);
    if (state === 'lost') return false;
    checkState(file, state, replace);
    if (state !== 'published') throw new TargetError('exists', file.file.path);
  }
  return true;
}

function checkState({ file }: PublishFile, state: PublishState | undefined, replace: boolean): void {
  if (state === 'folder') throw new TargetError('folder', file.path);
  if (state === 'taken' && !replace) throw new TargetError('exists', file.path);
}

/**
 * Links a finished file to its path. Resolves to false if another file has the path, or if the finished file is
 * missing. On a disk without hard links (FAT, some network disks), creates an empty file to reserve the path, and then
 * renames the finished file over it. The empty file is visible for a moment, and stays if the machine crashes.
 */
async function linkIntoPlace(
  hooks: PublishHooks,
  file: PublishFile,
  scratchName: string,
  replace: boolean,
  reserved: boolean,
): Promise<boolean> {
  try {
    if (reserved) return await move(hooks, file);
    if (replace) return await swap(hooks, file, scratchName);
    await link(temporaryOf(file), file.target);
    hooks.failpoint('linked');
    return true;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === 'EEXIST' || errno === 'ENOENT' || REPLACED.has(errno)) return false;
    if (errno === 'EXDEV' || !NO_LINK.has(errno)) throw error;
  }
  if (!replace && !(await reserve(hooks.failpoint, file))) return false;
  return move(hooks, file);
}

/**
 * Replaces an existing file: creates a second link to the new file and renames it to the target. So the path is never
 * without a file. Resolves to false if it may not be replaced.
 */
async function swap({ failpoint, mayReplace }: PublishHooks, file: PublishFile, scratchName: string): Promise<boolean> {
  const { index, folder, target } = file;
  const staged = folder.pathOf(stagedName(scratchName, index, 'swap'));
  // If this name exists, it is a link of a crashed attempt: no other process uses the name.
  await link(temporaryOf(file), staged).catch(ignoreErrno('EEXIST'));
  failpoint('linked');
  const isAllowed = await mayReplace();
  if (isAllowed) {
    await rename(staged, target);
    failpoint('renamed');
  }
  // Remove a link that still exists: if another worker has published the file, both names are links to one file, and
  // then `rename` does nothing.
  await rm(staged, { force: true });
  return isAllowed;
}

async function move({ failpoint, mayReplace }: PublishHooks, file: PublishFile): Promise<boolean> {
  if (!(await mayReplace())) return false;
  await rename(temporaryOf(file), file.target);
  failpoint('renamed');
  return true;
}

/** Returns the path of the finished file. Throws ENOENT if its folder is missing. */
function temporaryOf({ temporary }: PublishFile): string {
  if (temporary !== undefined) return temporary;
  throw Object.assign(new Error('The folder of the finished file does not exist any more.'), { code: 'ENOENT' });
}

/** Reserves a path by creating an empty file. Resolves to false if another file has the path. */
async function reserve(failpoint: PublishFailpoint, file: PublishFile): Promise<boolean> {
  await recordReservation(file);
  failpoint('recorded');
  try {
    await (await open(file.target, 'wx')).close();
  } catch (error) {
    await deleteReservation(file);
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
  failpoint('reserved');
  return true;
}

/** Removes the published files of a list, except files that another program has replaced. Throws STORAGE_FAULT. */
export async function unpublish(finished: FinishedFolders | undefined, list: PublishList): Promise<void> {
  try {
    await withPublishFiles(finished, list, unpublishFiles);
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

/** Removes the last file first, so that a manifest never names a removed file. */
async function unpublishFiles(files: readonly PublishFile[]): Promise<void> {
  for (const file of files.toReversed()) {
    const state = await publishStateOf(file);
    // Ignore that the file may have been deleted or replaced after its state was read.
    if (state === 'published' || state === 'reserved')
      await unlink(file.target).catch(ignoreErrno(...MISSING, ...REPLACED));
  }
  await syncAll(directoriesOf(files));
}

/** Deletes outputs of a job. Skips files that are missing, changed or outside the media root. Resolves to their bytes. Throws STORAGE_FAULT. */
export async function removeOutputs(
  boundary: RootBoundary,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<number> {
  let bytes = 0;
  for (const { path, fingerprint } of outputs) {
    try {
      bytes += await removeOutput(boundary, path, fingerprint);
    } catch (error) {
      if (error instanceof DirectoryMoved || error instanceof TargetError) continue;
      const errno = errnoOf(error);
      if (!MISSING.has(errno) && !REPLACED.has(errno)) throw storageFailure(`deleting "${path}"`, error);
    }
  }
  return bytes;
}

async function removeOutput(boundary: RootBoundary, path: string, fingerprint: string | undefined): Promise<number> {
  const target = await findPublishTarget(boundary, path);
  if (target.missing.length > 0) return 0;
  await using folder = await openDirectory(target.real);
  const file = folder.pathOf(target.name);
  const stats = await lstat(file, { bigint: true });
  if (!stats.isFile() || fingerprintOf(stats) !== fingerprint) return 0;
  await unlink(file);
  return Number(stats.size);
}
