import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** The location of a file to be written: `name` in the folder `missing`, which does not exist yet, below `real`. */
interface PublishTarget {
  /** Absolute, symlinks resolved, inside the media root. */
  readonly real: string;
  readonly missing: readonly string[];
  readonly name: string;
}

/** A target and the file that exists there now. */
export interface TargetStat {
  readonly target: PublishTarget;
  /** Whether a file or a broken symlink exists at the target. */
  readonly taken: boolean;
  /** The stats of the file, or of the file behind a symlink. Absent if there is none. */
  readonly stats?: BigIntStats;
}

/**
 * Finds the folder of a file to be written. Follows symlinks to folders inside the media root. Does not follow a
 * symlink in the last name, because the new file replaces that symlink. Throws TargetError and file system errors.
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
  // `..` can follow a missing name only if it comes from a broken symlink.
  if (rest.includes('..')) throw new TargetError('outside', path);
  return { real: folder.real, missing: rest.filter((part) => part !== '' && part !== '.'), name };
}

const isOnly = (names: readonly string[], name: string): boolean => names.length === 1 && names[0] === name;

/** Finds a target and the file there. Throws what `findPublishTarget` throws, and TargetError if it is not a file. */
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
  // Nothing has the name, or it is a symlink to nothing.
  const isFree = resolved.kind === 'missing' && resolved.real === target.real && isOnly(resolved.rest, target.name);
  const taken =
    !isFree && target.missing.length === 0 && (await lstatIfExists(join(target.real, target.name))) !== undefined;
  return { target, taken };
}
