import { lstat, rm } from 'node:fs/promises';
import { JobFailed } from '../../../domain/failure.ts';
import type { JobOutput } from '../../../domain/job.ts';
import { codeOf, storageFault } from '../errors.ts';
import { DirectoryMoved, openDirectory } from '../paths/directory-handle.ts';
import { fingerprintOf } from '../paths/file-id.ts';
import type { ReservedPaths, RootBoundary } from '../paths/root-boundary.ts';
import { findTarget, openBoundary } from './target.ts';

/**
 * Deletes outputs from a client's media root. What is not there, is not the very file that was published, or lies
 * outside behind a symlink is passed over: it is not what the client's job made.
 */
export async function removeOutputs(
  reserved: ReservedPaths,
  root: string,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<void> {
  const ground = await openBoundary(root, reserved);
  for (const { path, fingerprint } of outputs) {
    try {
      await removeOne(ground, path, fingerprint);
    } catch (error) {
      if (error instanceof DirectoryMoved || (error instanceof JobFailed && error.failure.code === 'UNSUPPORTED'))
        continue;
      if (codeOf(error) !== 'ENOENT') throw storageFault(`deleting "${path}"`, error);
    }
  }
}

async function removeOne(ground: RootBoundary, path: string, fingerprint: string | undefined): Promise<void> {
  const target = await findTarget(ground, path);
  if (target.rest.length > 0) return;
  const folder = await openDirectory(target.real);
  try {
    const stats = await lstat(folder.at(target.name), { bigint: true });
    if (stats.isFile() && fingerprintOf(stats) === fingerprint) await rm(folder.at(target.name));
  } finally {
    await folder.close();
  }
}
