import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { type DirectoryHandle, isGone, makeDirectories, openDirectory } from '../../scratch/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget, type PublishTarget } from '../publish/target.ts';

/** How many times folders are created while other requests remove them. */
const MAX_ATTEMPTS = 10;

/** Another request has removed an empty folder that this request has just created. */
class FolderRemoved extends Problem {
  constructor() {
    super('UNAVAILABLE', 'Other requests removed a folder of this path at the same time. Send the request again.', {
      retryAfterSeconds: 1,
    });
  }
}

const orRemoved = (error: unknown): never => {
  throw isGone(error) ? new FolderRemoved() : error;
};

/**
 * Runs a change of files that opens the folder of `path` by `openFolder`. Creates missing folders before the change has its turn: each takes
 * a flush of the disk, for which the changes of all clients would wait. Repeats both if another request removes a folder meanwhile.
 *
 * @param throwProblem Converts errors about `path`.
 * @param check Called before folders are created, to create none for a change that fails.
 */
export async function withFolders<T>(
  boundary: RootBoundary,
  path: MediaPath,
  throwProblem: (error: unknown) => never,
  change: () => Promise<T>,
  check: () => Promise<void> = async () => {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const { real, missing } = await findPublishTarget(boundary, path).catch(throwProblem);
      if (missing.length > 0) {
        await check();
        await (await makeDirectories(real, missing).catch(orRemoved).catch(throwProblem)).close();
      }
      return await change();
    } catch (error) {
      if (!(error instanceof FolderRemoved) || attempt === MAX_ATTEMPTS) throw error;
    }
}

/** Opens the folder of a target in a change of `withFolders`. */
export const openFolder = ({ real, missing }: PublishTarget): Promise<DirectoryHandle> =>
  openDirectory(join(real, ...missing)).catch(orRemoved);
