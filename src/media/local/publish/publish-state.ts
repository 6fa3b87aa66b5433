import { mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { lstatIfExists } from '../errors.ts';
import { type DirectoryHandle, openDirectory } from '../paths/directory-handle.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-facts.ts';
import type { IntendedFile, PublishList } from './intent.ts';

/** The steps of publishing that change the disk. Tests end the process after each of them. */
export type PublishStep = 'recorded' | 'probed' | 'copied' | 'reserved' | 'linked' | 'renamed' | 'removed';

/** Called after each step. */
export type PublishFailpoint = (step: PublishStep) => void;

/** The publishing state of one file, as read from the disk. */
export type PublishState =
  /** The target is the intended file. */
  | 'published'
  /** The target is an empty file that this engine created, on a disk that does not support hard links. */
  | 'reserved'
  /** The target does not exist. */
  | 'free'
  /** The target is another file. */
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
  /** The path of the target, for calls of `node:fs`. */
  readonly target: string;
}

/**
 * Opens the folders of all targets while `use` runs. If the folder of a file is gone, or has become reachable only
 * through a symlink, the file is not in `files` and the reason is in `errors`.
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
 * Reads the publishing state of one file. While the temporary file exists, no other file can have its inode, so the target is
 * compared with the temporary file and not with the intent, whose device number may be outdated after a restart. If the
 * temporary file is gone, the target must match the file id, size and modification time in the intent.
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

/** Records that this engine creates an empty file at the target. Call this before creating that file. */
export async function recordReservation({ scratchDir, index, file }: PublishFile): Promise<void> {
  const record = reservationPath(scratchDir, index);
  await mkdir(dirname(record), { recursive: true, mode: 0o700 });
  await rm(record, { force: true });
  await symlink(file.target, record);
}

/** Deletes the record of an empty file, because another file has the path. */
export const deleteReservation = ({ scratchDir, index }: PublishFile): Promise<void> =>
  rm(reservationPath(scratchDir, index), { force: true });

const reservationPath = (scratchDir: string, index: number): string => join(scratchDir, 'reserved', String(index));
