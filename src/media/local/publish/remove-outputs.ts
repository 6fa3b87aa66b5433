import { lstat, unlink } from 'node:fs/promises';
import type { JobOutput } from '../../../domain/job.ts';
import { errnoOf, MISSING, REPLACED, TargetError } from '../../file-errors.ts';
import { storageFailure } from '../../job-failures.ts';
import { DirectoryMoved, openDirectory } from '../../scratch/directory-handle.ts';
import { fingerprintOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget } from './target.ts';

/**
 * Deletes outputs of a job. Skips a file that is missing, that was replaced or changed since it was published, or that
 * a symlink outside the media root leads to, because the job did not write it. Throws STORAGE_FAULT.
 */
export async function removeOutputs(
  boundary: RootBoundary,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  for (const { path, fingerprint } of outputs) {
    try {
      await removeOutput(boundary, path, fingerprint);
    } catch (error) {
      if (error instanceof DirectoryMoved || error instanceof TargetError) continue;
      const errno = errnoOf(error);
      if (!MISSING.has(errno) && !REPLACED.has(errno)) throw storageFailure(`deleting "${path}"`, error);
    }
  }
}

async function removeOutput(boundary: RootBoundary, path: string, fingerprint: string | undefined): Promise<void> {
  const target = await findPublishTarget(boundary, path);
  if (target.missing.length > 0) return;
  const folder = await openDirectory(target.real);
  try {
    const file = folder.pathOf(target.name);
    const stats = await lstat(file, { bigint: true });
    if (stats.isFile() && fingerprintOf(stats) === fingerprint) await unlink(file);
  } finally {
    await folder.close();
  }
}
