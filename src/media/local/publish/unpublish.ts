import { unlink } from 'node:fs/promises';
import { errnoOf, MISSING, REPLACED } from '../../file-errors.ts';
import { storageFailure } from '../../job-failures.ts';
import { syncAll } from '../../scratch/directory-handle.ts';
import type { PublishList } from './intent.ts';
import {
  directoriesOf,
  type FinishedFolders,
  type PublishFile,
  publishStateOf,
  withPublishFiles,
} from './publish-state.ts';

/** Removes the published files of a list, unless they were replaced since. Throws STORAGE_FAULT. */
export async function unpublish(finished: FinishedFolders | undefined, list: PublishList): Promise<void> {
  try {
    await withPublishFiles(finished, list, unpublishFiles);
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

/** Starts with the last file, so that no manifest refers to a file that is already removed. */
export async function unpublishFiles(files: readonly PublishFile[]): Promise<void> {
  for (const file of files.toReversed()) {
    const state = await publishStateOf(file);
    if (state === 'published' || state === 'reserved') await unlink(file.target).catch(ignoreReplaced);
  }
  await syncAll(directoriesOf(files));
}

/** The file was deleted or replaced after its state was read, so it is no longer the published one. */
function ignoreReplaced(error: unknown): void {
  const errno = errnoOf(error);
  if (!MISSING.has(errno) && !REPLACED.has(errno)) throw error;
}
