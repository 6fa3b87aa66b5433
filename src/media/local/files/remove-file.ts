import { rm } from 'node:fs/promises';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Check } from '../../../files/ports.ts';
import { openDirectory } from '../paths/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget } from './existing-file.ts';
import { fileNotFound, fileProblem } from './file-problems.ts';

/** Deletes what has the name: of a link the link, not the file that it leads to. */
export async function removeFile(
  inTurn: LimitFunction,
  ground: RootBoundary,
  path: MediaPath,
  check: Check,
): Promise<void> {
  try {
    await inTurn(async () => {
      const { target, taken, file } = await statTarget(ground, path);
      check(file);
      if (!taken) throw fileNotFound(path);
      const folder = await openDirectory(target.real);
      try {
        await rm(folder.at(target.name));
        await folder.sync();
      } finally {
        await folder.close();
      }
    });
  } catch (error) {
    throw fileProblem(path, 'deleting the file', error);
  }
}
