import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { LimitFunction } from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import { Problem } from '../../../domain/problem.ts';
import type { FileCheck, FileFacts } from '../../../files/ports.ts';
import { errnoOf, TargetError } from '../../file-errors.ts';
import { type DirectoryHandle, DirectoryMoved } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import type { IntendedFile } from '../publish/intent.ts';
import { type PrepareDeps, prepareFiles } from '../publish/prepare-files.ts';
import { publishFiles } from '../publish/publish.ts';
import { statTarget, type TargetStat } from '../publish/target.ts';
import { unpublish } from '../publish/unpublish.ts';

export interface PublishDeps extends PrepareDeps {
  /** Runs one change at a time, so that no other change happens between a check and the change that it allows. */
  readonly oneAtATime: LimitFunction;
}

/** A complete upload. */
export interface CompleteUpload {
  readonly boundary: RootBoundary;
  readonly path: MediaPath;
  readonly check: FileCheck;
  /** The folder of this upload. */
  readonly dir: DirectoryHandle;
}

/** The name of the file with the uploaded bytes, in the folder of the upload. */
export const CONTENT = 'content';

/**
 * The most attempts to prepare or publish. A conversion may create or remove a file at the path between the check and
 * publishing, and another request a folder.
 */
const MAX_ATTEMPTS = 10;

/** Returns the file at the path, or undefined if there is none. */
export const factsIn = (path: MediaPath, { stats }: TargetStat): FileFacts | undefined => stats && factsOf(path, stats);

/**
 * Makes an upload durable and creates the folders of its path. On another disk, copies it there. Begins again if a request
 * deletes one of these folders meanwhile, because it is empty.
 */
export async function prepareUpload(
  deps: PublishDeps,
  { boundary, path, dir }: Omit<CompleteUpload, 'check'>,
): Promise<IntendedFile> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const [file] = await prepareFiles(deps, boundary, { scratch: dir, source: dir }, true, [{ name: CONTENT, path }]);
      if (file === undefined) throw new Error('The upload was not prepared.');
      return file;
    } catch (error) {
      const isGone = errnoOf(error) === 'ENOENT' || error instanceof DirectoryMoved;
      if (!isGone || attempt === MAX_ATTEMPTS) throw error;
    }
}

/** Makes a prepared upload appear, if its check allows that. */
export async function publishPrepared(
  deps: PublishDeps,
  { boundary, path, check, dir }: CompleteUpload,
  file: IntendedFile,
): Promise<{ readonly file: FileFacts; readonly created: boolean }> {
  // A copy is next to its target; the upload itself may have another path by now.
  const isCopy = dirname(file.temporary) === dirname(file.target);
  const facts = factsOf(path, await lstat(isCopy ? file.temporary : dir.pathOf(CONTENT), { bigint: true }));
  for (let attempt = 1; ; attempt += 1) {
    const published = await deps.oneAtATime(async () => {
      const current = await statTarget(boundary, path);
      const before = factsIn(path, current);
      check(before);
      return (await publishFile(deps, dir, file, current.taken)) && { file: facts, created: before === undefined };
    });
    if (published !== false) return published;
    if (attempt === MAX_ATTEMPTS) throw folderChanged();
  }
}

/** Resolves to false if another file appeared at the path. Throws if the folder or the uploaded file is gone. */
async function publishFile(
  { failpoint, linkable }: PublishDeps,
  scratch: DirectoryHandle,
  file: IntendedFile,
  replace: boolean,
): Promise<boolean> {
  const list = { scratchDir: scratch.real, replace, files: [file] };
  try {
    if (await publishFiles(failpoint, { folder: scratch }, list)) return true;
  } catch (error) {
    linkable.clear();
    // Report the first error.
    await unpublish({ folder: scratch }, list).catch(() => undefined);
    if (error instanceof TargetError && error.conflict === 'exists') return false;
    throw error;
  }
  throw folderChanged();
}

const folderChanged = (): Problem =>
  new Problem('NOT_A_FILE', 'The folder of this file kept changing. Nothing was stored; send the file again.');
