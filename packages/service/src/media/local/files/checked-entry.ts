import type { BigIntStats } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { FileCheck } from '../../../files/ports.ts';
import { fileNotFound, notAFile } from '../../file-problems.ts';
import { openDirectory } from '../../scratch/directory-handle.ts';
import type { MediaLog } from '../../scratch/scratch.ts';
import { factsOf, fingerprintOf } from '../paths/file-facts.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';
import { statTarget, type TargetStat } from '../publish/target.ts';
import { type Entry, linkNew } from './entries.ts';

/** Throws if an entry may not be moved or deleted. `moved`: the stats of the entry itself, where it is now. */
type EntryCheck = (moved: BigIntStats) => void;

/** The file at a client's path, after its check. Dispose of it in the end: its folder is open. */
export interface CheckedEntry extends Entry, AsyncDisposable {
  /** The stats of the entry itself. */
  readonly own: BigIntStats;
  /** The stats of the file, or of the file to which a symlink leads. undefined: a symlink leads to none. */
  readonly stats: BigIntStats | undefined;
  /** Checks the entry again after it was moved, because another program may have replaced the file since the first check. */
  readonly checkAgain: EntryCheck;
}

/** Opens the folder of a file and checks the file. Throws the errors of `check`, of `statTarget` and of the file system. */
export async function openChecked(
  boundary: RootBoundary,
  path: MediaPath,
  { target }: Pick<TargetStat, 'target'>,
  check: FileCheck = () => {},
): Promise<CheckedEntry> {
  const folder = await openDirectory(target.real);
  try {
    const entry = { folder, path: folder.pathOf(target.name) };
    const own = await lstat(entry.path, { bigint: true });
    // Follow a symlink after these stats were read: `checkAgain` compares with them, because it cannot follow what has moved.
    const stats = own.isFile() ? own : (await statTarget(boundary, path)).stats;
    check(stats && factsOf(path, stats));
    const checkAgain = (moved: BigIntStats): void => {
      if (moved.isFile() === own.isFile() && fingerprintOf(moved) === fingerprintOf(own)) return;
      if (moved.isDirectory()) throw notAFile(path);
      check(factsOf(path, moved));
    };
    return { ...entry, own, stats, checkAgain, [Symbol.asyncDispose]: () => folder.close() };
  } catch (error) {
    await folder.close();
    throw error;
  }
}

/**
 * Opens the folder of the file at a path of a client, or of a symlink that leads to none, and checks the file. Throws FILE_NOT_FOUND, and the
 * errors of `openChecked`.
 */
export async function openSource(boundary: RootBoundary, path: MediaPath, check?: FileCheck): Promise<CheckedEntry> {
  const found = await statTarget(boundary, path);
  if (!found.taken) throw fileNotFound(path);
  return openChecked(boundary, path, found, check);
}

/**
 * Checks what a rename has moved from `source` to `target`. If another program has replaced the file since its check, puts
 * that one back and throws. It replaces nothing: if its path is taken again, or its folder is gone, it stays at `target`.
 */
export async function checkMoved(log: MediaLog, source: Entry, target: Entry, check: EntryCheck): Promise<void> {
  const moved = await lstat(target.path, { bigint: true });
  try {
    check(moved);
  } catch (error) {
    const failure = await putBack(target, source, moved).then(
      (isBack) => (isBack ? undefined : {}),
      (err: unknown) => ({ err }),
    );
    if (failure !== undefined)
      log.warn(
        { ...failure, path: hostPathOf(source), kept: hostPathOf(target) },
        'file that another program stored during a deletion or a move not put back: its path is taken, or its folder is gone',
      );
    throw error;
  }
}

async function putBack(kept: Entry, source: Entry, stats: BigIntStats): Promise<boolean> {
  if (!stats.isDirectory()) return linkNew(kept, source);
  // A folder has no hard links. This rename can only replace an empty folder.
  await rename(kept.path, source.path);
  return true;
}

const hostPathOf = ({ folder, path }: Entry): string => join(folder.real, basename(path));
