import { randomUUID } from 'node:crypto';
import { lstat, rename, unlink } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { diskProblem, fileNotFound } from '../../file-problems.ts';
import { openDirectory } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget } from '../publish/target.ts';
import { type Entry, linkNew } from './move.ts';
import { UNKEEPABLE } from './replaced-file.ts';
import { factsIn, type UploadDeps } from './uploads.ts';

/** Deletes the file at a path of a client. If the path is a symlink, deletes only the symlink. */
export async function removeFile(
  { oneAtATime, uploadDir }: Pick<UploadDeps, 'oneAtATime' | 'uploadDir'>,
  boundary: RootBoundary,
  path: MediaPath,
  check: FileCheck,
): Promise<void> {
  try {
    await oneAtATime(async () => {
      const found = await statTarget(boundary, path);
      check(factsIn(path, found));
      if (!found.taken) throw fileNotFound(path);
      await using folder = await openDirectory(found.target.real);
      const entry = { folder, path: folder.pathOf(found.target.name) };
      const uploads = await uploadDir();
      const temporary = { folder: uploads, path: uploads.pathOf(randomUUID()) };
      // Move the file before it is deleted, and check it again: another program may have replaced it. After a crash, the next
      // start removes it with the uploads. If they are on another disk, or the disk is full, the file is deleted at its path,
      // and one that another program puts there in this moment is lost.
      const isMoved = await rename(entry.path, temporary.path).then(() => true, ignoreErrno(...UNKEEPABLE));
      await (isMoved ? removeTemporary(temporary, entry, path, check) : unlink(entry.path));
      await folder.sync();
    });
  } catch (error) {
    throw diskProblem(path, 'deleting the file', error);
  }
}

/** Deletes what was moved from `entry`, or puts it back if the check or the deletion fails. */
async function removeTemporary(temporary: Entry, entry: Entry, path: MediaPath, check: FileCheck): Promise<void> {
  const stats = await lstat(temporary.path, { bigint: true });
  try {
    if (stats.isFile()) check(factsOf(path, stats));
    await unlink(temporary.path);
  } catch (error) {
    if (stats.isDirectory()) await rename(temporary.path, entry.path);
    // If the path has a third file by now, that one replaces this.
    else if (!(await linkNew(temporary, entry))) await unlink(temporary.path);
    throw error;
  }
}
