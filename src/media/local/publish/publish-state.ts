import type { BigIntStats } from 'node:fs';
import { lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { IntendedFile, PublishIntent } from '../../../jobs/ports.ts';
import { codeOf } from '../errors.ts';
import { type Folder, holdFolder } from '../paths/directory-handle.ts';
import { fingerprintOf, identityOf } from '../paths/file-id.ts';

/** How far the publishing of one file is, as the disk shows it. */
export type Standing =
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
export interface Place {
  readonly file: IntendedFile;
  readonly index: number;
  readonly scratch: string;
  readonly folder: Folder;
  /** The target, for calls of `node:fs`. */
  readonly target: string;
}

/**
 * Runs `use` with the targets' folders held open. Files whose folder is gone, or is reached through a symlink now,
 * are left out of `places`; why is in `faults`.
 */
export async function withPlaces<T>(
  intent: PublishIntent,
  use: (places: readonly Place[], faults: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const folders = new Map<string, Folder>();
  const faults: unknown[] = [];
  try {
    for (const path of new Set(intent.files.map((file) => dirname(file.target))))
      await holdFolder(path).then(
        (folder) => folders.set(path, folder),
        (fault) => faults.push(fault),
      );
    const places = intent.files.flatMap((file, index): readonly Place[] => {
      const folder = folders.get(dirname(file.target));
      if (folder === undefined) return [];
      return [{ file, index, scratch: intent.scratch, folder, target: folder.at(basename(file.target)) }];
    });
    return await use(places, faults);
  } finally {
    for (const folder of folders.values()) await folder.close();
  }
}

export const foldersOf = (places: readonly Place[]): ReadonlySet<Folder> => new Set(places.map(({ folder }) => folder));

/**
 * While the finished temporary is there its inode cannot be given to another file, so the two are compared as they
 * are now: device numbers may change when the machine starts again. Without it, what was written down must fit,
 * size and time too.
 */
export async function standingOf({ file, target, scratch, index }: Place): Promise<Standing> {
  const [there, temporary] = await Promise.all([statsOf(target), statsOf(file.temporary)]);
  const [, ino] = file.identity.split(':');
  const size = BigInt(file.sizeBytes);
  const kept = temporary?.isFile() === true && String(temporary.ino) === ino;
  if (there !== undefined) {
    const identity = identityOf(there);
    const same = identity === file.identity && fingerprintOf(there) === file.fingerprint;
    if (kept ? identity === identityOf(temporary) : same) return 'ours';
  }
  if (!kept || temporary.size !== size) return 'lost';
  if (there === undefined) return 'free';
  if (there.isDirectory()) return 'folder';
  if (there.isFile() && there.size === 0n && (await statsOf(reservation(scratch, index))) !== undefined)
    return 'reserved';
  return 'foreign';
}

/** Writes down that an empty file at the target is ours. To be called before it is made. */
export async function noteReservation({ scratch, index, file }: Place): Promise<void> {
  const note = reservation(scratch, index);
  await mkdir(dirname(note), { recursive: true, mode: 0o700 });
  await rm(note, { force: true });
  await symlink(file.target, note);
}

/** The name was another's already. */
export const forgetReservation = ({ scratch, index }: Place): Promise<void> =>
  rm(reservation(scratch, index), { force: true });

const reservation = (scratch: string, index: number): string => join(scratch, 'reserved', String(index));

const statsOf = (path: string): Promise<BigIntStats | undefined> =>
  lstat(path, { bigint: true }).catch((error) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
