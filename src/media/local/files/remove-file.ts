import { rm } from 'node:fs/promises';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { Check } from '../../../files/ports.ts';
import { holdFolder } from '../paths/directory-handle.ts';
import type { Ground } from '../paths/root-boundary.ts';
import { lookAt } from './existing-file.ts';
import { fileFault, fileNotFound } from './file-problems.ts';

/** Deletes what has the name: of a link the link, not the file that it leads to. */
export async function removeFile(inTurn: LimitFunction, ground: Ground, path: MediaPath, check: Check): Promise<void> {
  try {
    await inTurn(async () => {
      const { target, taken, file } = await lookAt(ground, path);
      check(file);
      if (!taken) throw fileNotFound(path);
      const folder = await holdFolder(target.real);
      try {
        await rm(folder.at(target.name));
        await folder.sync();
      } finally {
        await folder.close();
      }
    });
  } catch (error) {
    throw fileFault(path, 'deleting the file', error);
  }
}
