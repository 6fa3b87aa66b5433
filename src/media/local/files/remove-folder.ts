import { rmdir } from 'node:fs/promises';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import { Problem } from '../../../domain/problem.ts';
import { codeOf } from '../errors.ts';
import { openDirectory } from '../paths/directory-handle.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { findPublishTarget } from '../publish/target.ts';
import { fileProblem, LIST_FILES, outside } from './file-problems.ts';

/** Deletes a folder with nothing in it; a link to one is no folder. */
export async function removeFolder(inTurn: LimitFunction, ground: RootBoundary, path: MediaPath): Promise<void> {
  try {
    await inTurn(async () => {
      const target = await findPublishTarget(ground, path);
      if (target === 'outside') throw outside();
      if (typeof target === 'string' || target.rest.length > 0) throw folderNotFound(path);
      const above = await openDirectory(target.real);
      try {
        await rmdir(above.at(target.name)).catch((error: unknown) => {
          throw faultOf(path, error);
        });
        await above.sync();
      } finally {
        await above.close();
      }
    });
  } catch (error) {
    throw fileProblem(path, 'deleting the folder', error);
  }
}

function faultOf(path: string, error: unknown): unknown {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return folderNotFound(path);
    // POSIX leaves a system the choice between the two; EBUSY: a disk is mounted there.
    case 'ENOTEMPTY':
    case 'EEXIST':
    case 'EBUSY':
      return new Problem('FOLDER_NOT_EMPTY', `"${path}" is not empty. Delete first what is in it.`);
    default:
      return error;
  }
}

const folderNotFound = (path: string): Problem =>
  new Problem('FILE_NOT_FOUND', `There is no folder "${path}" in your media root.`, { fix: LIST_FILES });
