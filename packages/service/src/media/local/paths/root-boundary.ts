import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from '@telecine/contract/domain/media-root.ts';
import { foldName } from '../../file-names.ts';
import { type DiskReads, diskAt, diskReads, type MediaDisks } from './media-disks.ts';

/** The media roots that this engine created. */
const localRoots = new WeakSet<MediaRoot>();

/** Creates the media root of the folder `path`, an absolute path from the configuration or the record of a client. */
export function localRoot(path: string, grants: readonly BucketGrant[] = [], urls?: UrlInputs): MediaRoot {
  const root = { pathPrefix: path, grants, urls } as MediaRoot;
  localRoots.add(root);
  return root;
}

/** Returns the folder of a media root. Throws if another engine created the media root. */
export function rootPath(root: MediaRoot): string {
  if (localRoots.has(root)) return root.pathPrefix;
  throw new Error('Not a media root of the local engine.');
}

/**
 * Returns whether a path in a media root is reserved for the service. The path is absolute and has no symlinks. `below`:
 * true if something below the path is reserved, too.
 */
type IsReserved = (path: string, below?: boolean) => boolean;

/**
 * Returns the check for the media root `root`, or undefined if nothing in it is reserved. `root` is absolute and has no
 * symlinks.
 */
export type ReservedPaths = (root: string) => IsReserved | undefined;

/** The paths that a client may access: everything in its media root except the reserved paths. */
export interface AllowedPaths {
  /** The absolute path of the media root. */
  readonly root: string;
  readonly isReserved: IsReserved | undefined;
  /** The absolute path, without symlinks, of the only folder below `root` that may be accessed. Absent: all of `root`. */
  readonly within?: string;
}

/** The paths that a client may access, and how their disks are read. */
export interface RootBoundary extends AllowedPaths {
  readonly disks: DiskReads;
}

/**
 * Returns the boundary of the media root `path`. Resolves symlinks, because `path` may have become a symlink since the
 * start. Throws UNAVAILABLE if the disk does not reply.
 */
export async function openBoundary(path: string, reserved: ReservedPaths, disks: MediaDisks): Promise<RootBoundary> {
  const isLocal = await disks.isLocal(path);
  const root = isLocal ? realpathSync.native(path) : await disks.calls(diskAt(path), () => realpath(path));
  return { root, isReserved: reserved(root), disks: diskReads(disks, root, isLocal) };
}

/**
 * Reserves `paths` and everything below them. If one of `paths` contains `mediaRoot`, everything in `mediaRoot` stays
 * allowed. All paths are absolute and have no symlinks. Other names of a reserved file (a hard link, a second mount)
 * are not reserved.
 */
export function reservedPaths(paths: readonly string[], mediaRoot: string): ReservedPaths {
  const open = foldName(mediaRoot);
  const all = paths.map((text) => {
    const path = foldName(text);
    return { path, holdsMediaRoot: isIn(path, open) };
  });
  return (rootPath) => {
    const root = foldName(rootPath);
    const isOpen = isIn(open, root);
    const relevant = all.filter(
      ({ path, holdsMediaRoot }) => isIn(root, path) || (isIn(path, root) && !(holdsMediaRoot && isOpen)),
    );
    if (relevant.length === 0) return undefined;
    return (text, below = false) => {
      const path = foldName(text);
      if (below && relevant.some((entry) => isIn(path, entry.path))) return true;
      return relevant.some((entry) => isIn(entry.path, path) && !(entry.holdsMediaRoot && isIn(open, path)));
    };
  };
}

/**
 * Returns whether a client may access the path that consists of `real` and the names `rest`. `real` is absolute and has
 * no symlinks. `rest`: names below it that do not exist yet.
 */
export function isInside(allowed: AllowedPaths, real: string, rest: readonly string[] = []): boolean {
  const { root, isReserved, within } = allowed;
  // If nothing is reserved, the names in `rest` need no check, unless one is empty or starts with a dot.
  const isPlain =
    isReserved === undefined && within === undefined && !rest.some((name) => name === '' || name.startsWith('.'));
  const path = isPlain ? real : joinNames(real, rest);
  if (!isIn(within ?? root, path) || !isIn(root, real) || isReserved?.(path) === true) return false;
  return !path.includes(`/${RESERVED_PREFIX}`, root === '/' ? 0 : root.length);
}

/** Like `join`, but takes a third of the time if no name is `.` or `..`. */
function joinNames(real: string, rest: readonly string[]): string {
  if (rest.length === 0) return real;
  if (real === '/' || rest.some((name) => name === '' || name === '.' || name === '..')) return join(real, ...rest);
  return `${real}/${rest.join('/')}`;
}

const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder === '/' || path[folder.length] === '/');
