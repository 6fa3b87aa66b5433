import type { BigIntStats } from 'node:fs';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import { lstatIfExists } from '../../errno-codes.ts';
import { publishIntents } from '../../publish-intents.ts';
import { allEnded, type DirectoryHandle, openDirectory, openNested } from '../../scratch/directory-handle.ts';
import { fileIdOf, fingerprintOf, hasStableInodes, isSameFile } from '../paths/file-facts.ts';

/** A file to be published. */
export interface IntendedFile {
  /** The absolute path of the finished file, which publishing links or renames to `target`. */
  readonly temporary: string;
  /** The absolute path at which the file will be published. */
  readonly target: string;
  /** The same path as `target`, relative to the media root of the client. */
  readonly path: string;
  /** The device and inode number (`dev:ino`) of the file `temporary`. */
  readonly fileId: string;
  /** See `JobOutput`. */
  readonly fingerprint: string;
  readonly sizeBytes: number;
}

/** The files that the local engine publishes together. */
export interface PublishList {
  /** Absolute path of the scratch folder. */
  readonly scratchDir: string;
  /** true: the files may replace existing files. */
  readonly replace: boolean;
  /** The files in the order of publishing. The output that the client named is last. */
  readonly files: readonly IntendedFile[];
}

export const localIntents = publishIntents<PublishList>('local');

/** The steps of publishing that change the disk. Tests end the process after each of them. */
type PublishStep = 'recorded' | 'probed' | 'copied' | 'reserved' | 'linked' | 'renamed' | 'removed';

export type PublishFailpoint = (step: PublishStep) => void;

/** How far the publishing of one file is, as the disk shows it. */
export type PublishState =
  /** The intended file is at the target. */
  | 'published'
  /** The target is an empty file, with which this engine has reserved the path on a disk without hard links. */
  | 'reserved'
  /** Nothing is at the target. */
  | 'free'
  /** Another file is at the target. */
  | 'taken'
  | 'folder'
  /** The finished file is missing, and was not published. */
  | 'lost';

/** An intended file, with its folders opened. */
export interface PublishFile {
  readonly file: IntendedFile;
  readonly index: number;
  /** undefined if the scratch folder is missing. */
  readonly scratch: DirectoryHandle | undefined;
  readonly folder: DirectoryHandle;
  /** The path of the target, for calls of `node:fs`. */
  readonly target: string;
  /** The path of the finished file, for calls of `node:fs`. undefined if its folder is missing. */
  readonly temporary: string | undefined;
}

/** The open scratch folder and its subfolder `out`, if these exist. */
export interface FinishedFolders {
  readonly folder: DirectoryHandle;
  readonly out?: DirectoryHandle;
}

/**
 * Opens the folders of all targets, runs `use`, and closes the folders. If a folder cannot be opened (it is missing, or
 * it is a symlink now), `errors` contains the error, and `files` does not contain the files in this folder.
 */
export async function withPublishFiles<T>(
  finished: FinishedFolders | undefined,
  list: PublishList,
  use: (files: readonly PublishFile[], errors: readonly unknown[]) => Promise<T>,
): Promise<T> {
  const folders = new Map<string, DirectoryHandle>();
  const sources = new Map<string, DirectoryHandle>();
  const opened = new Set<DirectoryHandle>();
  const errors: unknown[] = [];
  try {
    // If no file was staged in its target folder, all are published by hard links, so the targets are on the same disk
    // as the scratch folder. The intent cannot say whether this disk is local, because another host can take over the
    // job.
    const areLinked = list.files.every(({ temporary, target }) => dirname(temporary) !== dirname(target));
    const isLocal = areLinked && finished?.folder.isLocal === true;
    for (const path of new Set(list.files.map((file) => dirname(file.target))))
      await openDirectory(path, isLocal).then(
        (folder) => folders.set(path, folder),
        (error) => errors.push(error),
      );
    if (finished !== undefined)
      for (const path of new Set(list.files.map((file) => dirname(file.temporary)))) {
        const isOut = relative(list.scratchDir, path) === 'out';
        const source = (isOut ? finished.out : undefined) ?? (await openSource(finished.folder, list.scratchDir, path));
        if (source === undefined) continue;
        sources.set(path, source);
        if (source !== finished.out) opened.add(source);
      }
    const scratch = finished?.folder;
    const files = list.files.flatMap((file, index): readonly PublishFile[] => {
      const folder = folders.get(dirname(file.target));
      if (folder === undefined) return [];
      // A staged file is in the folder of its target.
      const isStaged = dirname(file.temporary) === dirname(file.target);
      const temporary = (isStaged ? folder : sources.get(dirname(file.temporary)))?.pathOf(basename(file.temporary));
      return [{ file, index, scratch, folder, target: folder.pathOf(basename(file.target)), temporary }];
    });
    return await use(files, errors);
  } finally {
    for (const folder of [...folders.values(), ...opened]) await folder.close();
  }
}

/**
 * Opens a folder of finished files in the scratch folder. Resolves to undefined if the folder is missing or not below
 * the scratch folder.
 */
async function openSource(
  scratch: DirectoryHandle,
  scratchDir: string,
  path: string,
): Promise<DirectoryHandle | undefined> {
  const names = relative(scratchDir, path).split('/');
  if (names.includes('..')) return undefined;
  return openNested(scratch, names.filter(Boolean)).catch(ignoreErrno('ENOENT'));
}

export const directoriesOf = (files: readonly PublishFile[]): ReadonlySet<DirectoryHandle> =>
  new Set(files.map(({ folder }) => folder));

/**
 * Reads how far the publishing of a file is. If the finished file exists, compares its inode number with that of the
 * target. Does not compare the whole `fileId`, because a restart can change the device number in the intent. If the
 * finished file does not exist, compares the target with the file id, size and time in the intent.
 */
export async function publishStateOf(publishFile: PublishFile): Promise<PublishState> {
  const { file, target } = publishFile;
  const [targetStats, temporary] = await allEnded([lstatIfExists(target), statsOfTemporary(publishFile)]);
  const [, ino] = file.fileId.split(':');
  const isIntended = (stats: BigIntStats): boolean =>
    hasStableInodes(stats.dev) ? String(stats.ino) === ino : fingerprintOf(stats) === file.fingerprint;
  const hasTemporary = temporary?.isFile() === true && isIntended(temporary);
  if (targetStats !== undefined) {
    const hasId = fileIdOf(targetStats) === file.fileId || !hasStableInodes(targetStats.dev);
    const matchesIntent = hasId && fingerprintOf(targetStats) === file.fingerprint;
    if (hasTemporary ? isSameFile(temporary, targetStats) : matchesIntent) return 'published';
  }
  if (!hasTemporary || temporary.size !== BigInt(file.sizeBytes)) return 'lost';
  if (targetStats === undefined) return 'free';
  if (targetStats.isDirectory()) return 'folder';
  const isEmptyFile = targetStats.isFile() && targetStats.size === 0n;
  const record = reservationPath(publishFile);
  if (isEmptyFile && record !== undefined && (await lstatIfExists(record)) !== undefined) return 'reserved';
  return 'taken';
}

const statsOfTemporary = async ({ temporary }: PublishFile): Promise<BigIntStats | undefined> =>
  temporary === undefined ? undefined : lstatIfExists(temporary);

/** Records that this engine is about to create an empty file at the target. Call this before the file is created. */
export async function recordReservation(publishFile: PublishFile): Promise<void> {
  const record = reservationPath(publishFile);
  if (record === undefined) throw new Error('The scratch folder of the attempt does not exist any more.');
  await mkdir(dirname(record), { recursive: true, mode: 0o700 });
  await rm(record, { force: true });
  await symlink(publishFile.file.target, record);
}

/** Deletes the record of `recordReservation`. */
export async function deleteReservation(publishFile: PublishFile): Promise<void> {
  const record = reservationPath(publishFile);
  if (record !== undefined) await rm(record, { force: true });
}

const reservationPath = ({ scratch, index }: PublishFile): string | undefined =>
  scratch && join(scratch.pathOf('reserved'), String(index));
