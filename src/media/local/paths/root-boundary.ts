import { join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';

/** Whether an absolute path in a client's media root, symlinks resolved, is the service's own and no client's. */
type IsReserved = (path: string) => boolean;

/** What in a media root (absolute, symlinks resolved) is off limits; undefined: nothing, as mostly. */
export type ReservedPaths = (root: string) => IsReserved | undefined;

/** A client's media root, and what in it is not the client's. */
export interface RootBoundary {
  /** Absolute. */
  readonly root: string;
  readonly isReserved: IsReserved | undefined;
}

/**
 * All in and at `paths` is off limits, but not what is in `open`, the service's media root, where that lies in one of
 * them. Absolute paths, symlinks resolved. Judged by path: another name of the same file (a hard link, a second
 * mount) is not recognised.
 */
export function reservedPaths(paths: readonly string[], open: string): ReservedPaths {
  const clients = foldCase(open);
  const own = paths.map((path) => ({ path: foldCase(path), holdsRoot: isIn(foldCase(path), clients) }));
  return (root) => {
    const ground = foldCase(root);
    const isOpen = isIn(clients, ground);
    const near = own.filter((off) => isIn(ground, off.path) || (isIn(off.path, ground) && !(off.holdsRoot && isOpen)));
    if (near.length === 0) return undefined;
    return (path) => {
      const asked = foldCase(path);
      return near.some((off) => isIn(off.path, asked) && !(off.holdsRoot && isIn(clients, asked)));
    };
  };
}

/**
 * Whether a host path lies on the client's ground and in no folder of the service's own. `real` must be free of
 * symlinks; `rest` are names below it that do not exist yet.
 */
export function isInside(ground: RootBoundary, real: string, rest: readonly string[] = []): boolean {
  const { root, isReserved } = ground;
  // As mostly: then only names that begin with a dot, or are empty, can lead away or be the service's own.
  const isPlain = isReserved === undefined && !rest.some((name) => name === '' || name.startsWith('.'));
  const path = isPlain ? real : below(real, rest);
  if (!isIn(root, path) || !isIn(root, real) || isReserved?.(path) === true) return false;
  return !path.includes(`/${RESERVED_PREFIX}`, root === '/' ? 0 : root.length);
}

/** As `join`, at a third of its price where there is nothing to resolve. */
function below(real: string, rest: readonly string[]): string {
  if (rest.length === 0) return real;
  if (real === '/' || rest.some((name) => name === '' || name === '.' || name === '..')) return join(real, ...rest);
  return `${real}/${rest.join('/')}`;
}

const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder === '/' || path[folder.length] === '/');

const ASCII = /^[ -~]*$/;

/** Some disks take a name in any case and normal form: paths that they may take for one are one here. */
export const foldCase = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();
