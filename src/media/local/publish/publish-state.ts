import { mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lstatIfExists } from '../errors.ts';
import { type DirectoryHandle, openDirectory } from '../paths/directory-handle.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-facts.ts';
import type { IntendedFile, PublishList } from './intent.ts';

/** Steps of publishing that change the disk. Tests end the process after one. */
export type PublishStep = 'recorded' | 'probed' | 'copied' | 'reserved' | 'linked' | 'renamed' | 'removed';

/** Called after each step. */
export type PublishFailpoint = (step: PublishStep) => void;

/** How far one file is published, as the disk shows it. */
export type PublishState =
  /** The target is the intended file. */
  | 'published'
  /** An empty file that this engine created has the name, on a disk without hard links. */
  | 'reserved'
  /** No file has the name. */
  | 'free'
  /** Another file has the name. */
  | 'taken'
  | 'folder'
  /** The file is not published, and the finished file is gone. */
  | 'lost';

/** One intended file, and the open folder of its target. */
export interface PublishFile {
  readonly file: IntendedFile;
  readonly index: number;
  readonly scratchDir: string;
  readonly folder: DirectoryHandle;
  /** The target, for calls of `node:fs`. */
  readonly target: string;
}

/**
 * Opens the folders of all targets for the time of `use`. A file is not in `files` if its folder is gone, or is behind a
 * symlink now; `errors` says why.
 */
export async function withPublishFiles<T>(
  list: PublishList,
  use: (files: readonly PublishFile[], errors: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const folders = new Map<string, DirectoryHandle>();
  const errors: unknown[] = [];
  try {
    for (const path of new Set(list.files.map((file) => dirname(file.target))))
      await openDirectory(path).then(
        (folder) => folders.set(path, folder),
        (error) => errors.push(error),
      );
    const files = list.files.flatMap((file, index): readonly PublishFile[] => {
      const folder = folders.get(dirname(file.target));
      if (folder === undefined) return [];
      return [{ file, index, scratchDir: list.scratchDir, folder, target: folder.pathOf(basename(file.target)) }];
    });
    return await use(files, errors);
  } finally {
    for (const folder of folders.values()) await folder.close();
  }
}

export const directoriesOf = (files: readonly PublishFile[]): ReadonlySet<DirectoryHandle> =>
  new Set(files.map(({ folder }) => folder));

/**
 * While the temporary exists, no other file can get its inode, so the two files are compared as they are now: a device
 * number may change with a restart. Without the temporary, the target must match the intent, its size and time too.
 */
export async function publishStateOf({ file, target, scratchDir, index }: PublishFile): Promise<PublishState> {
  const [targetStats, temporary] = await Promise.all([lstatIfExists(target), lstatIfExists(file.temporary)]);
  const [, ino] = file.fileId.split(':');
  const hasTemporary = temporary?.isFile() === true && String(temporary.ino) === ino;
  if (targetStats !== undefined) {
    const targetId = fileIdOf(targetStats);
    const matchesIntent = targetId === file.fileId && fingerprintOf(targetStats) === file.fingerprint;
    if (hasTemporary ? targetId === fileIdOf(temporary) : matchesIntent) return 'published';
  }
  if (!hasTemporary || temporary.size !== BigInt(file.sizeBytes)) return 'lost';
  if (targetStats === undefined) return 'free';
  if (targetStats.isDirectory()) return 'folder';
  const isEmptyFile = targetStats.isFile() && targetStats.size === 0n;
  if (isEmptyFile && (await lstatIfExists(reservationPath(scratchDir, index))) !== undefined) return 'reserved';
  return 'taken';
}

/** Records that an empty file at the target is ours. Call it before creating that file. */
export async function recordReservation({ scratchDir, index, file }: PublishFile): Promise<void> {
  const record = reservationPath(scratchDir, index);
  await mkdir(dirname(record), { recursive: true, mode: 0o700 });
  await rm(record, { force: true });
  await symlink(file.target, record);
}

/** Deletes the record where another file has the name. */
export const deleteReservation = ({ scratchDir, index }: PublishFile): Promise<void> =>
  rm(reservationPath(scratchDir, index), { force: true });

const reservationPath = (scratchDir: string, index: number): string => join(scratchDir, 'reserved', String(index));
