import { unlink } from 'node:fs/promises';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { fileNotFound } from '../../file-problems.ts';
import { openDirectory } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget } from '../publish/target.ts';
import { fileProblem } from './file-problems.ts';

/** Deletes the file at a client's path. If the path is a symlink, deletes the symlink, not its target. */
export async function removeFile(
  oneAtATime: LimitFunction,
  boundary: RootBoundary,
  path: MediaPath,
  check: FileCheck,
): Promise<void> {
  try {
    await oneAtATime(async () => {
      const { target, taken, stats } = await statTarget(boundary, path);
      check(stats && factsOf(path, stats));
      if (!taken) throw fileNotFound(path);
      const folder = await openDirectory(target.real);
      try {
        await unlink(folder.pathOf(target.name));
        await folder.sync();
      } finally {
        await folder.close();
      }
    });
  } catch (error) {
    throw fileProblem(path, 'deleting the file', error);
  }
}
