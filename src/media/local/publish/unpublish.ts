import { rm } from 'node:fs/promises';
import { storageFailure } from '../job-failures.ts';
import { type DirectoryHandle, syncAll } from '../paths/directory-handle.ts';
import type { PublishList } from './intent.ts';
import { directoriesOf, type PublishFile, publishStateOf, withPublishFiles } from './publish-state.ts';

/** Removes the published files of a list, unless they were replaced since. Throws STORAGE_FAULT. */
export async function unpublish(scratch: DirectoryHandle | undefined, list: PublishList): Promise<void> {
  try {
    await withPublishFiles(scratch, list, unpublishFiles);
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

/** Starts with the last file, so that no manifest refers to a file that is already removed. */
export async function unpublishFiles(files: readonly PublishFile[]): Promise<void> {
  for (const file of files.toReversed()) {
    const state = await publishStateOf(file);
    if (state === 'published' || state === 'reserved') await rm(file.target, { force: true });
  }
  await syncAll(directoriesOf(files));
}
