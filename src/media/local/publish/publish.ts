import { basename } from 'node:path';
import { errnoOf, MISSING, TargetError } from '../../file-errors.ts';
import { outputFailure } from '../../job-failures.ts';
import { syncAll } from '../../scratch/directory-handle.ts';
import type { PublishList } from './intent.ts';
import { linkIntoPlace } from './link-into-place.ts';
import {
  directoriesOf,
  type FinishedFolders,
  type PublishFailpoint,
  type PublishFile,
  type PublishState,
  publishStateOf,
  withPublishFiles,
} from './publish-state.ts';

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
 * Makes all files appear. Can be called again after a crash at any instruction. Resolves to false if a finished file is
 * gone. Throws TargetError, DirectoryMoved and file system errors. Removes no published file: another worker may have
 * completed the job, and only the caller can tell.
 */
export const publishFiles = (
  failpoint: PublishFailpoint,
  finished: FinishedFolders | undefined,
  list: PublishList,
): Promise<boolean> =>
  withPublishFiles(finished, list, async (files, errors) => {
    for (const error of errors) if (!MISSING.has(errnoOf(error))) throw error;
    const published = errors.length === 0 && (await linkAll(failpoint, files, list));
    if (published) await syncAll(directoriesOf(files));
    return published;
  });

/** Reads the state of all files before it changes any of them. */
async function linkAll(
  failpoint: PublishFailpoint,
  files: readonly PublishFile[],
  { scratchDir, replace }: PublishList,
): Promise<boolean> {
  const states: PublishState[] = [];
  for (const file of files) states.push(await publishStateOf(file));
  if (states.includes('lost')) return false;
  for (const [i, file] of files.entries()) checkState(file, states[i], replace);
  for (const [i, file] of files.entries()) {
    if (states[i] === 'published') continue;
    if (await linkIntoPlace(failpoint, file, basename(scratchDir), replace, states[i] === 'reserved')) continue;
    // The state has changed since it was read. Another worker that recovers the same job may have published the file.
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
