import { realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import type { BucketGrant, MediaRoot, UrlInputs } from '../../../domain/media-root.ts';
import { foldName } from '../../file-names.ts';

/** A media root of the local engine: a folder of this machine. */
class LocalRoot {
  /** Absolute. */
  readonly path: string;
  readonly pathPrefix: string;
  readonly grants: readonly BucketGrant[];
  readonly urls: UrlInputs | undefined;

  constructor(path: string, grants: readonly BucketGrant[], urls: UrlInputs | undefined) {
    this.path = path;
    this.pathPrefix = path;
    this.grants = grants;
    this.urls = urls;
  }
}

/**
 * Creates the media root of the folder `path`, an absolute path from the configuration or a client's record. `grants`: the
 * other buckets that the client may use. `urls`: the URLs that it may name as inputs.
 */
export const localRoot = (path: string, grants: readonly BucketGrant[] = [], urls?: UrlInputs): MediaRoot =>
  new LocalRoot(path, grants, urls) as unknown as MediaRoot;

/** Returns the folder of a media root. Throws if another engine created the root. */
export function rootPath(root: MediaRoot): string {
  if (root instanceof LocalRoot) return root.path;
  throw new Error('Not a media root of the local engine.');
}

/** Whether an absolute path in a client's media root, symlinks resolved, is reserved for the service. */
type IsReserved = (path: string) => boolean;

/**
 * Returns the check for reserved paths in a media root (absolute, symlinks resolved), or undefined if no path in it is
 * reserved, which is the usual case.
 */
export type ReservedPaths = (root: string) => IsReserved | undefined;

/** The paths that a client may access: its media root without the reserved paths. */
export interface RootBoundary {
  /** Absolute. */
  readonly root: string;
  readonly isReserved: IsReserved | undefined;
  /** Whether its disk answers in microseconds, so that it may be read synchronously. Default: no. */
  readonly isLocal?: boolean;
}

/** Returns the boundary of the media root `path`. Resolves symlinks, because `path` may have become one. */
export async function openBoundary(path: string, reserved: ReservedPaths, isLocal = false): Promise<RootBoundary> {
  const root = isLocal ? realpathSync.native(path) : await realpath(path);
  return { root, isReserved: reserved(root), isLocal };
}

/**
 * Reserves `paths` and everything below them, except `mediaRoot` if it is below one of them. All paths are absolute,
 * symlinks resolved. Compares paths only, so it does not recognise another name of the same file (a hard link, a second
 * mount).
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
    return (text) => {
      const path = foldName(text);
      return relevant.some((entry) => isIn(entry.path, path) && !(entry.holdsMediaRoot && isIn(open, path)));
    };
  };
}

/**
 * Whether a client may access an absolute path. `real` must be free of symlinks. `rest`: names below it that do not
 * exist yet.
 */
export function isInside(boundary: RootBoundary, real: string, rest: readonly string[] = []): boolean {
  const { root, isReserved } = boundary;
  // The usual case: without reserved paths, `rest` matters only if a name in it is empty or starts with a dot.
  const isPlain = isReserved === undefined && !rest.some((name) => name === '' || name.startsWith('.'));
  const path = isPlain ? real : joinNames(real, rest);
  if (!isIn(root, path) || !isIn(root, real) || isReserved?.(path) === true) return false;
  return !path.includes(`/${RESERVED_PREFIX}`, root === '/' ? 0 : root.length);
}

/** Like `join`, but takes a third of the time if there is no `.` or `..` to resolve. */
function joinNames(real: string, rest: readonly string[]): string {
  if (rest.length === 0) return real;
  if (real === '/' || rest.some((name) => name === '' || name === '.' || name === '..')) return join(real, ...rest);
  return `${real}/${rest.join('/')}`;
}

const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder === '/' || path[folder.length] === '/');
