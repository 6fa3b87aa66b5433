import { lstat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts, Published } from '../../../files/ports.ts';
import { MISSING, TargetError } from '../../errno-codes.ts';
import { noFreeSpace } from '../../file-problems.ts';
import { type DirectoryHandle, isGone } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { type PrepareDeps, prepareFiles } from '../publish/prepare.ts';
import { publishFiles, unpublish } from '../publish/publish.ts';
import type { IntendedFile } from '../publish/publish-state.ts';
import { statTarget, type TargetStat } from '../publish/target.ts';
import { keepReplaced } from './bin.ts';
import type { RunChange } from './change-queues.ts';

export interface PublishDeps extends PrepareDeps {
  readonly runChange: RunChange;
}

interface CompleteUpload {
  readonly boundary: RootBoundary;
  readonly path: MediaPath;
  readonly check: FileCheck;
  /** The folder with the file `CONTENT`. */
  readonly dir: DirectoryHandle;
  /** Removes staged files of an earlier attempt that failed. They would make the next one fail. */
  readonly clear: () => Promise<void>;
  /** See `Publishing`. */
  readonly keepsReplaced: boolean;
  /** Called each time before the file appears, with where it appears. */
  readonly onPrepared: (file: IntendedFile) => Promise<void>;
}

/** The name of the file with the uploaded bytes, in the folder of an upload. */
export const CONTENT = 'content';

/** How many times an upload is prepared or published while other requests create or remove its file or its folders. */
const MAX_ATTEMPTS = 10;

/** Returns facts about the file at a target. undefined: there is no file. */
export const factsIn = (path: MediaPath, { stats }: TargetStat): FileFacts | undefined => stats && factsOf(path, stats);

/**
 * Publishes an upload, if `check` allows that: flushes it to disk, creates the folders of its path, and copies it if its path is on another
 * disk. Repeats this while other requests create or remove its file or its folders.
 */
export async function publishUpload(
  deps: PublishDeps,
  { boundary, path, check, dir, clear, keepsReplaced, onPrepared }: CompleteUpload,
): Promise<Published> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await clear();
    const scratch = { scratch: dir, source: dir };
    const prepared = prepareFiles(deps, boundary, scratch, true, [{ name: CONTENT, path }]);
    const [file] = await prepared.catch((error: unknown) => {
      if (!isGone(error) || attempt === MAX_ATTEMPTS) throw error;
      return [];
    });
    if (file === undefined) continue;
    await onPrepared(file);
    // A staged copy is in the folder of its target. Without a copy, the folder of the upload may have been moved since,
    // so use the open folder instead of a path.
    const isCopy = dirname(file.temporary) === dirname(file.target);
    const facts = factsOf(path, await lstat(isCopy ? file.temporary : dir.pathOf(CONTENT), { bigint: true }));
    const published = await deps.runChange(boundary, [path], async () => {
      const current = await statTarget(boundary, path);
      const before = factsIn(path, current);
      check(before);
      await using old = keepsReplaced && before ? await keepReplaced(boundary, current.target, before) : undefined;
      const isPublished = await publishFile(deps, dir, file, current.taken, old?.isCurrent).catch(
        async (error: unknown) => {
          // After the rename, such as an error of a flush, the bin has the only name of the old file.
          throw old !== undefined && (await old.isCurrent()) ? await old.undo(error) : error;
        },
      );
      if (isPublished) return { file: facts, before, replaced: old?.entry };
      await old?.undo(undefined);
      return undefined;
    });
    if (published !== undefined) return published;
  }
  throw folderChanged();
}

/**
 * Publishes a file. Resolves to false if another file has appeared at the path, or if `mayReplace` resolves to false. Throws
 * if the target folder or the uploaded file is missing.
 */
async function publishFile(
  { failpoint, linkable }: PublishDeps,
  scratch: DirectoryHandle,
  file: IntendedFile,
  replace: boolean,
  mayReplace: (() => Promise<boolean>) | undefined,
): Promise<boolean> {
  const list = { scratchDir: scratch.real, replace, files: [file] };
  try {
    if (await publishFiles(failpoint, { folder: scratch }, list, mayReplace)) return true;
  } catch (error) {
    linkable.clear();
    // Ignore an error of this removal, and throw the error of publishing.
    await unpublish({ folder: scratch }, list).catch(() => undefined);
    if (error instanceof TargetError && error.conflict === 'exists') return false;
    throw error;
  }
  throw folderChanged();
}

const folderChanged = (): Problem =>
  new Problem(
    'NOT_A_FILE',
    'Other programs replaced this file, or moved its folder, several times. Nothing was stored; send the file again.',
  );

/** After this number of bytes, an upload checks the free space again. */
export const SPACE_CHECK_BYTES = 16 * 2 ** 20;

/**
 * Throws NO_SPACE if another `bytes` would leave less than `minFreeBytes` free on a disk of `folders`. Ignores a
 * missing folder: the end of the upload creates it again.
 */
export async function checkFreeSpace(folders: readonly string[], bytes: number, minFreeBytes: number): Promise<void> {
  for (const folder of folders) {
    const found = await statfs(folder).catch(ignoreErrno(...MISSING));
    if (found !== undefined && found.bavail * found.bsize - bytes < minFreeBytes) throw noFreeSpace();
  }
}
