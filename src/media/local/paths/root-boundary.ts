import { join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';

/** Whether an absolute path in a client's media root, symlinks resolved, is the service's own and no client's. */
type IsOff = (path: string) => boolean;

/** What in a media root (absolute, symlinks resolved) is off limits; undefined: nothing, as mostly. */
export type OffLimits = (root: string) => IsOff | undefined;

/** A client's media root, and what in it is not the client's. */
export interface Ground {
  /** Absolute. */
  readonly root: string;
  readonly isOff: IsOff | undefined;
}

/**
 * All in and at `paths` is off limits, but not what is in `open`, the service's media root, where that lies in one of
 * them. Absolute paths, symlinks resolved. Judged by path: another name of the same file (a hard link, a second
 * mount) is not recognised.
 */
export function offLimits(paths: readonly string[], open: string): OffLimits {
  const clients = spelling(open);
  const own = paths.map((path) => ({ path: spelling(path), holdsRoot: isIn(spelling(path), clients) }));
  return (root) => {
    const ground = spelling(root);
    const isOpen = isIn(clients, ground);
    const near = own.filter((off) => isIn(ground, off.path) || (isIn(off.path, ground) && !(off.holdsRoot && isOpen)));
    if (near.length === 0) return undefined;
    return (path) => {
      const asked = spelling(path);
      return near.some((off) => isIn(off.path, asked) && !(off.holdsRoot && isIn(clients, asked)));
    };
  };
}

/**
 * Whether a host path lies on the client's ground and in no folder of the service's own. `real` must be free of
 * symlinks; `rest` are names below it that do not exist yet.
 */
export function isInside(ground: Ground, real: string, rest: readonly string[] = []): boolean {
  const { root, isOff } = ground;
  // As mostly: then only names that begin with a dot, or are empty, can lead away or be the service's own.
  const isPlain = isOff === undefined && !rest.some((name) => name === '' || name.startsWith('.'));
  const path = isPlain ? real : below(real, rest);
  if (!isIn(root, path) || !isIn(root, real) || isOff?.(path) === true) return false;
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
export const spelling = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();
