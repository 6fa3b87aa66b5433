import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { codeOf } from '../errors.ts';
import { type DirectoryHandle, openDirectory } from '../paths/directory-handle.ts';
import { fileIdOf, fingerprintOf } from '../paths/file-id.ts';
import type { IntendedFile, PublishList } from './intent.ts';

/** How far the publishing of one file is, as the disk shows it. */
export type PublishState =
  /** Published: the target is the intended file. */
  | 'ours'
  /** The name is held by an empty file that we put there, for a disk without links. */
  | 'reserved'
  | 'free'
  /** Another file has the name. */
  | 'foreign'
  | 'folder'
  /** Not published, and the finished file is gone. */
  | 'lost';

/** One intended file and its folder, held. */
export interface PublishFile {
  readonly file: IntendedFile;
  readonly index: number;
  readonly scratch: string;
  readonly folder: DirectoryHandle;
  /** The target, for calls of `node:fs`. */
  readonly target: string;
}

/**
 * Runs `use` with the targets' folders held open. Files whose folder is gone, or is reached through a symlink now,
 * are left out of `places`; why is in `faults`.
 */
export async function withPublishFiles<T>(
  list: PublishList,
  use: (places: readonly PublishFile[], faults: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const folders = new Map<string, DirectoryHandle>();
  const faults: unknown[] = [];
  try {
    for (const path of new Set(list.files.map((file) => dirname(file.target))))
      await openDirectory(path).then(
        (folder) => folders.set(path, folder),
        (fault) => faults.push(fault),
      );
    const places = list.files.flatMap((file, index): readonly PublishFile[] => {
      const folder = folders.get(dirname(file.target));
      if (folder === undefined) return [];
      return [{ file, index, scratch: list.scratchDir, folder, target: folder.at(basename(file.target)) }];
    });
    return await use(places, faults);
  } finally {
    for (const folder of folders.values()) await folder.close();
  }
}

export const directoriesOf = (places: readonly PublishFile[]): ReadonlySet<DirectoryHandle> =>
  new Set(places.map(({ folder }) => folder));

/**
 * While the finished temporary is there its inode cannot be given to another file, so the two are compared as they
 * are now: device numbers may change when the machine starts again. Without it, what was written down must fit,
 * size and time too.
 */
export async function publishStateOf({ file, target, scratch, index }: PublishFile): Promise<PublishState> {
  const [there, temporary] = await Promise.all([statsOf(target), statsOf(file.temporary)]);
  const [, ino] = file.fileId.split(':');
  const size = BigInt(file.sizeBytes);
  const kept = temporary?.isFile() === true && String(temporary.ino) === ino;
  if (there !== undefined) {
    const fileId = fileIdOf(there);
    const same = fileId === file.fileId && fingerprintOf(there) === file.fingerprint;
    if (kept ? fileId === fileIdOf(temporary) : same) return 'ours';
  }
  if (!kept || temporary.size !== size) return 'lost';
  if (there === undefined) return 'free';
  if (there.isDirectory()) return 'folder';
  if (there.isFile() && there.size === 0n && (await statsOf(reservation(scratch, index))) !== undefined)
    return 'reserved';
  return 'foreign';
}

/** Writes down that an empty file at the target is ours. To be called before it is made. */
export async function recordReservation({ scratch, index, file }: PublishFile): Promise<void> {
  const note = reservation(scratch, index);
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  await rm(note, { force: true });
  await symlink(file.target, note);
}

/** The name was another's already. */
export const deleteReservation = ({ scratch, index }: PublishFile): Promise<void> =>
  rm(reservation(scratch, index), { force: true });

const reservation = (scratch: string, index: number): string => join(scratch, 'reserved', String(index));

const statsOf = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
