import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { rename, unlink } from 'node:fs/promises';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { lstatIfExists, UNKEEPABLE } from '../../errno-codes.ts';
import { diskProblem, fileNotFound } from '../../file-problems.ts';
import type { DirectoryHandle } from '../../scratch/directory-handle.ts';
import type { MediaLog } from '../../scratch/scratch.ts';
import { fingerprintOf } from '../paths/file-facts.ts';
import { DiskUnavailable } from '../paths/remote-calls.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget } from '../publish/target.ts';
import type { RunChange } from './change-queues.ts';
import { type CheckedEntry, checkMoved, openChecked } from './checked-entry.ts';
import type { Entry } from './entries.ts';

export interface RemoveDeps {
  readonly runChange: RunChange;
  uploadDir(): Promise<DirectoryHandle>;
  readonly log: MediaLog;
}

/** Deletes the file at a path of a client. If the path is a symlink, deletes only the symlink. */
export async function removeFile(
  deps: RemoveDeps,
  boundary: RootBoundary,
  path: MediaPath,
  check: FileCheck,
): Promise<void> {
  try {
    await deps.runChange(boundary, [path], async () => {
      const found = await statTarget(boundary, path);
      if (!found.taken) {
        check(undefined);
        throw fileNotFound(path);
      }
      await using entry = await openChecked(boundary, path, found, check);
      await removeChecked(deps, entry);
    });
  } catch (error) {
    throw diskProblem(path, 'deleting the file', error);
  }
}

/**
 * Deletes an entry: moves it away, checks it there, and then deletes it. So a file that another program puts at the path at any
 * time stays. After a crash, the next start deletes what is in the folder of uploads. On another disk, the entry gets a reserved
 * name in its own folder, which it keeps after a crash. Only if that fails too, it is deleted at its path without a second check.
 */
export async function removeChecked({ uploadDir, log }: RemoveDeps, entry: CheckedEntry): Promise<void> {
  const name = deletedName(entry.own);
  // The folder of uploads is on another disk than the entry if it does not reply.
  const uploads = await uploadDir().catch((error: unknown) => {
    if (error instanceof DiskUnavailable) return undefined;
    throw error;
  });
  const moved = (uploads && (await moveInto(uploads, name, entry))) ?? (await moveInto(entry.folder, name, entry));
  if (moved !== undefined) await checkMoved(log, entry, moved, entry.checkAgain);
  await unlink((moved ?? entry).path);
  await entry.folder.sync();
}

/** Resolves to undefined if the folder is on another disk, or cannot take the entry. */
async function moveInto(folder: DirectoryHandle, name: string, { path }: Entry): Promise<Entry | undefined> {
  const moved = { folder, path: folder.pathOf(name) };
  return rename(path, moved.path).then(() => moved, ignoreErrno(...UNKEEPABLE));
}

const DELETED = `${RESERVED_PREFIX}-deleted-`;

/** FAT, exFAT and some mounts of NTFS allow no colon in a name. */
const suffixOf = (stats: BigIntStats): string => `-${fingerprintOf(stats).replaceAll(':', '-')}`;

/** The name in the folder of uploads tells a start which file was to be deleted (`isOtherFile`). */
const deletedName = (stats: BigIntStats): string => `${DELETED}${randomUUID()}${suffixOf(stats)}`;

/**
 * Returns whether an entry of a folder of uploads is not the one that was to be deleted, but one that another program had put
 * at its path: after a crash before its check, or if it could not be put back. Nobody knows whether it has another copy.
 */
export async function isOtherFile(folder: DirectoryHandle, name: string): Promise<boolean> {
  if (!name.startsWith(DELETED)) return false;
  const stats = await lstatIfExists(folder.pathOf(name));
  return stats !== undefined && !name.endsWith(suffixOf(stats));
}
