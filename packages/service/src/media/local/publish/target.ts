import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import { lstatIfExists, TargetError } from '../../errno-codes.ts';
import { requireFewFolders } from '../../scratch/directory-handle.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** Where a new file will be: in `missing` folders below `real`, with the name `name`. */
export interface PublishTarget {
  /** An existing folder inside the media root, as an absolute path without symlinks. */
  readonly real: string;
  /** The names of the folders below `real` that do not exist yet, the outermost first. */
  readonly missing: readonly string[];
  readonly name: string;
}

/** A target, and the file that exists at it. */
export interface TargetStat {
  readonly target: PublishTarget;
  /** true: the target has a file or a broken symlink. */
  readonly taken: boolean;
  /** The stats of the file, of the file to which a symlink leads, or of a broken symlink. */
  readonly stats?: BigIntStats;
}

/**
 * Finds the folder for a new file. Follows symlinks inside the media root, except in the last name: the new file
 * replaces a symlink there. Throws TargetError and file system errors.
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
  // `rest` can contain `..` only if it comes from a broken symlink.
  if (rest.includes('..')) throw new TargetError('outside', path);
  return { real: folder.real, missing: rest.filter((part) => part !== '' && part !== '.'), name };
}

/**
 * Finds a target and the file that is there. Throws the errors of `findPublishTarget`, and a TargetError if something
 * other than a file is there.
 */
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
  // No file was found: the last name is missing, or is a broken symlink.
  const isFree =
    resolved.kind === 'missing' && resolved.real === target.real && resolved.rest.join('/') === target.name;
  const stats = isFree || target.missing.length > 0 ? undefined : await lstatIfExists(join(target.real, target.name));
  return { target, taken: stats !== undefined, ...(stats && { stats }) };
}

/** Like `statTarget`, for a file that will be there much later. Also throws the errors of `requireFewFolders`, before the work for the file. */
export async function statNewTarget(boundary: RootBoundary, path: string): Promise<TargetStat> {
  const found = await statTarget(boundary, path);
  requireFewFolders(found.target.missing, path);
  return found;
}

/** Narrows a boundary to `folder`, a path of a client that ends with a slash: no symlink in the folder leads out of it. */
export async function narrowTo(boundary: RootBoundary, folder: string): Promise<RootBoundary> {
  const { real, missing } = await findPublishTarget(boundary, `${folder}name`);
  return { ...boundary, within: join(real, ...missing) };
}
