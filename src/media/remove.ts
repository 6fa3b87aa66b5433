import { lstat, rm } from 'node:fs/promises';
import { JobFailed } from '../domain/failure.ts';
import { codeOf, storageFault } from './errors.ts';
import { FolderMoved, holdFolder } from './folder.ts';
import { findTarget, realRootOf } from './target.ts';

/**
 * Deletes files of a client's media root. What is not there, is no regular file, or lies outside behind a symlink
 * is passed over: it is not what the client's job made.
 */
export async function remove(root: string, paths: readonly string[]): Promise<void> {
  const real = await realRootOf(root);
  for (const path of paths) {
    try {
      await removeOne(real, path);
    } catch (error) {
      if (error instanceof FolderMoved || (error instanceof JobFailed && error.failure.code === 'UNSUPPORTED'))
        continue;
      if (codeOf(error) !== 'ENOENT') throw storageFault(`deleting "${path}"`, error);
    }
  }
}

async function removeOne(root: string, path: string): Promise<void> {
  const target = await findTarget(root, path);
  if (target.rest.length > 0) return;
  const folder = await holdFolder(target.real);
  try {
    if ((await lstat(folder.at(target.name))).isFile()) await rm(folder.at(target.name));
  } finally {
    await folder.close();
  }
}
