import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** The folder and the name of a new file. */
interface PublishTarget {
  /** The path of an existing folder inside the media root. Absolute, with symlinks resolved. */
  readonly real: string;
  /** The names of the missing folders below `real`, from the outermost to the innermost. */
  readonly missing: readonly string[];
  readonly name: string;
}

/** A target, and the file that exists at it. */
export interface TargetStat {
  readonly target: PublishTarget;
  /** Whether a file or a broken symlink exists at the target. */
  readonly taken: boolean;
  /** The stats of the file. For a symlink: the stats of the file that it leads to. Undefined if there is no file. */
  readonly stats?: BigIntStats;
}

/**
 * Finds the folder for a new file. Follows symlinks inside the media root. Does not follow a symlink in the last name: the new file
 * replaces it. Throws TargetError and file system errors.
 */
export async function findPublishTarget(boundary: RootBoundary, path: string): Promise<PublishTarget> {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const folder = await resolveIn(boundary, folders);
  if (folder.kind === 'loop') throw new TargetError('loop', path);
  const rest = folder.kind === 'missing' ? folder.rest : [];
  if (!isInside(boundary, folder.real, [...rest, name])) throw new TargetError('outside', path);
  if (folder.kind === 'missing' ? folder.belowFile : !folder.stats.isDirectory())
    throw new TargetError('below-file', path);
  // `rest` contains `..` only if a broken symlink contains it.
  if (rest.includes('..')) throw new TargetError('outside', path);
  return { real: folder.real, missing: rest.filter((part) => part !== '' && part !== '.'), name };
}

/** Finds a target, and the file that exists at it. Throws the errors of `findPublishTarget`, and a TargetError for anything but a file. */
export async function statTarget(boundary: RootBoundary, path: string): Promise<TargetStat> {
  const target = await findPublishTarget(boundary, path);
  const resolved = await resolveIn(boundary, path.split('/'));
  if (resolved.kind === 'found') {
    const { real, stats } = resolved;
    if (!isInside(boundary, real)) throw new TargetError('outside', path);
    if (!stats.isFile()) throw new TargetError(stats.isDirectory() ? 'folder' : 'special', path);
    return { target, taken: true, stats };
  }
  if (resolved.kind === 'missing' && !isInside(boundary, resolved.real, resolved.rest))
    throw new TargetError('outside', path);
  // The path leads to no file here: the last name is missing, or is a broken symlink.
  const isFree =
    resolved.kind === 'missing' && resolved.real === target.real && resolved.rest.join('/') === target.name;
  const taken =
    !isFree && target.missing.length === 0 && (await lstatIfExists(join(target.real, target.name))) !== undefined;
  return { target, taken };
}
