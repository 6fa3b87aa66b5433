import { rmdir } from 'node:fs/promises';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import { errnoOf, TargetError } from '../../file-errors.ts';
import { folderNotEmpty, folderNotFound } from '../../file-problems.ts';
import { openDirectory } from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget } from '../publish/target.ts';
import { fileProblem } from './file-problems.ts';

/** Deletes an empty folder. A symlink to a folder does not count as one. */
export async function removeFolder(oneAtATime: LimitFunction, boundary: RootBoundary, path: MediaPath): Promise<void> {
  try {
    await oneAtATime(async () => {
      const target = await findPublishTarget(boundary, path);
      if (target.missing.length > 0) throw folderNotFound(path);
      const parent = await openDirectory(target.real);
      try {
        await rmdir(parent.pathOf(target.name));
        await parent.sync();
      } finally {
        await parent.close();
      }
    });
  } catch (error) {
    throw fileProblem(path, 'deleting the folder', folderProblem(path, error));
  }
}

/** Converts the errors whose problem differs from that of a file. */
function folderProblem(path: string, error: unknown): unknown {
  if (error instanceof TargetError && error.conflict !== 'outside') return folderNotFound(path);
  switch (errnoOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return folderNotFound(path);
    // For a folder that is not empty, POSIX allows ENOTEMPTY and EEXIST. EBUSY: a disk is mounted on the folder.
    case 'ENOTEMPTY':
    case 'EEXIST':
    case 'EBUSY':
      return folderNotEmpty(path);
    default:
      return error;
  }
}
