import type { BigIntStats } from 'node:fs';
import { lstat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts, Published } from '../../../files/ports.ts';
import { lstatIfExists, MISSING, rethrow, TargetError } from '../../errno-codes.ts';
import { noFreeSpace } from '../../file-problems.ts';
import { type DirectoryHandle, isGone } from '../../scratch/directory-handle.ts';
import { factsOf, isSameFile } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { type PrepareDeps, prepareFiles } from '../publish/prepare.ts';
import { publishFiles, unpublish } from '../publish/publish.ts';
import { type IntendedFile, publishStateOf, withPublishFiles } from '../publish/publish-state.ts';
import { statTarget, type TargetStat } from '../publish/target.ts';
import { type KeptFile, keepReplaced, putBack } from './bin.ts';
import type { RunChange } from './change-queues.ts';

export interface PublishDeps extends PrepareDeps {
  readonly runChange: RunChange;
}

/** Another service or program has changed the path of an upload while it was published. */
export class FileReplaced extends Problem {
  constructor() {
    super(
      'NOT_A_FILE',
      'Other programs replaced this file, or moved its folder, several times. Nothing was stored; send the file again.',
    );
  }
}

interface CompleteUpload {
  readonly boundary: RootBoundary;
  readonly path: MediaPath;
  readonly check: FileCheck;
  /** The folder with the file `CONTENT`. */
  readonly dir: DirectoryHandle;
  /** See `Publishing`. */
  readonly keepsReplaced: boolean;
  /** Called before the file appears, with where it appears. */
  readonly onPrepared: (file: IntendedFile) => Promise<void>;
}

/** The name of the file with the uploaded bytes, in the folder of an upload. */
export const CONTENT = 'content';

/** Returns facts about the file at a target. undefined: there is no file. */
export const factsIn = (path: MediaPath, { stats }: TargetStat): FileFacts | undefined => stats && factsOf(path, stats);

/**
 * Publishes an upload, if `check` allows that: flushes it to disk, creates the folders of its path, and copies it if its path is on another
 * disk. Throws `FileReplaced` if another service or program replaces the file, or removes a folder of its path, at the same time.
 */
export async function publishUpload(
  deps: PublishDeps,
  { boundary, path, check, dir, keepsReplaced, onPrepared }: CompleteUpload,
): Promise<Published> {
  const orReplaced = rethrow((error) => (isGone(error) || isTaken(error) ? new FileReplaced() : error));
  const place = { scratch: dir, source: dir };
  const prepared = prepareFiles(deps, boundary, place, true, [{ name: CONTENT, path }]);
  const [file] = await prepared.catch(orReplaced);
  if (file === undefined) throw new FileReplaced();
  await onPrepared(file);
  // A staged copy is in the folder of its target.
  const isCopy = dirname(file.temporary) === dirname(file.target);
  const facts = factsOf(path, await lstat(isCopy ? file.temporary : dir.pathOf(CONTENT), { bigint: true }));
  return deps.runChange(boundary, [path], async () => {
    const current = await statTarget(boundary, path);
    const before = factsIn(path, current);
    check(before);
    let old = undefined as KeptFile | undefined;
    /** Keeps the old file right before the new one takes its place. */
    const mayReplace = async (): Promise<boolean> => {
      if (!keepsReplaced || before === undefined || current.stats === undefined) return true;
      old ??= await keepReplaced(boundary, current.target, before);
      if (old === undefined) return true;
      // Another service on the same disk has no lock in common with this one, and may have replaced the file that is in the bin.
      const { stats } = await statTarget(boundary, path);
      return old.isLinked ? stats !== undefined && isSameFile(stats, current.stats) : stats === undefined;
    };
    const list = { scratchDir: dir.real, replace: current.taken, files: [file] };
    try {
      if (!(await publishFiles(deps.failpoint, { folder: dir }, list, mayReplace))) throw new FileReplaced();
    } catch (error) {
      deps.linkable.clear();
      // Ignore errors of these removals, and throw the error of publishing.
      if (before === undefined && !current.taken) await unpublish({ folder: dir }, list).catch(() => undefined);
      // After the rename, such as an error of a flush, the bin has the only name of the old file.
      if (old !== undefined && (await statPublished(dir, file)) === undefined)
        await putBack(boundary, current.target, old);
      return orReplaced(error);
    }
    return { file: facts, before, replaced: old?.entry };
  });
}

const isTaken = (error: unknown): boolean => error instanceof TargetError && error.conflict === 'exists';

/** Returns the stats of the published file. undefined: the file is not at its path. */
export const statPublished = (dir: DirectoryHandle, file: IntendedFile): Promise<BigIntStats | undefined> =>
  withPublishFiles({ folder: dir }, { scratchDir: dir.real, replace: true, files: [file] }, async ([first]) =>
    first !== undefined && (await publishStateOf(first)) === 'published' ? lstatIfExists(first.target) : undefined,
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
