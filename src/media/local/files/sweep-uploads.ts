import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { allEnded, type DirectoryHandle, openNested } from '../../scratch/directory-handle.ts';
import { listScratchNames, type MediaLog, removeScratch } from '../../scratch/scratch.ts';
import { isOld, isUnused, removeFolder, showUse } from '../../scratch/sweep.ts';
import { CONTENT } from './publish-upload.ts';

/**
 * Shows that this service uses its folder for uploads, and removes `others` of which no service has changed anything
 * for two days: those of services that have ended, and those of earlier versions, whose names were different.
 */
export async function sweepUploads(
  own: DirectoryHandle,
  others: readonly DirectoryHandle[],
  log: MediaLog,
): Promise<void> {
  await showUse(own, log);
  for (const folder of others) {
    if (!(await isUnused(folder))) continue;
    const names = await listScratchNames(folder);
    const unused = await allEnded(names.map((name) => isUnusedUpload(folder, name)));
    if (!unused.every(Boolean)) continue;
    await removeUploads(folder, names, log);
    await removeFolder(folder, log);
  }
}

/** Removes incomplete uploads. */
export async function removeUploads(folder: DirectoryHandle, names: readonly string[], log: MediaLog): Promise<void> {
  for (const name of names)
    await removeScratch(folder, name).catch((err) => {
      log.warn({ err, upload: join(folder.real, name) }, 'upload of an earlier run not removed');
    });
}

/** A long upload changes its file, but not the folder of all uploads. */
async function isUnusedUpload(folder: DirectoryHandle, name: string): Promise<boolean> {
  const upload = await openNested(folder, [name]).catch(() => undefined);
  if (upload === undefined) return true;
  try {
    return isOld(await lstat(upload.pathOf(CONTENT), { bigint: true }));
  } catch {
    return isUnused(upload);
  } finally {
    await upload.close();
  }
}
