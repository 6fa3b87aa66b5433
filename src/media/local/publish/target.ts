import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { lstatIfExists, TargetError } from '../errors.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** Where a file is to be written: `name` in the folder `missing`, still to be created, below the folder `real`. */
export interface PublishTarget {
  /** Absolute, symlinks resolved, inside the media root. */
  readonly real: string;
  readonly missing: readonly string[];
  readonly name: string;
}

/** A target, and what has its name now. */
export interface TargetStat {
  readonly target: PublishTarget;
  /** The name is taken: by a file, or by a symlink that leads nowhere. */
  readonly taken: boolean;
  /** Of the file as its readers see it: the file behind a symlink. */
  readonly stats?: BigIntStats;
}

/**
 * Finds the folder of a file that is to be written. Follows symlinks that stay inside the media root, but not in the last
 * name: a symlink there is what gets replaced. Throws TargetError and file system errors.
 */
export async function findPublishTarget(boundary: RootBoundary, path: string): Promise<PublishTarget> {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const folder = await resolveSymlinks(boundary.root, folders);
  if (folder.kind === 'loop') throw new TargetError('loop', path);
  const rest = folder.kind === 'missing' ? folder.rest : [];
  if (!isInside(boundary, folder.real, [...rest, name])) throw new TargetError('outside', path);
  if (folder.kind === 'missing' ? folder.belowFile : !folder.stats.isDirectory())
    throw new TargetError('below-file', path);
  // Only a symlink that leads nowhere can put `..` after a missing name.
  if (rest.includes('..')) throw new TargetError('outside', path);
  return { real: folder.real, missing: rest.filter((part) => part !== '' && part !== '.'), name };
}

/** Finds a target and the file that has its name. Throws as `findPublishTarget`, and TargetError for a non-file. */
export async function statTarget(boundary: RootBoundary, path: string): Promise<TargetStat> {
  const target = await findPublishTarget(boundary, path);
  const resolved = await resolveSymlinks(boundary.root, path.split('/'));
  if (resolved.kind === 'found') {
    const { real, stats } = resolved;
    if (!isInside(boundary, real)) throw new TargetError('outside', path);
    if (!stats.isFile()) throw new TargetError(stats.isDirectory() ? 'folder' : 'special', path);
    return { target, taken: true, stats };
  }
  if (resolved.kind === 'missing' && !isInside(boundary, resolved.real, resolved.rest))
    throw new TargetError('outside', path);
  const taken = target.missing.length === 0 && (await lstatIfExists(join(target.real, target.name))) !== undefined;
  return { target, taken };
}
