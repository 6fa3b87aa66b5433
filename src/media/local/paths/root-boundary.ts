import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';

/** Whether an absolute path in a client's media root, symlinks resolved, is reserved for the service. */
type IsReserved = (path: string) => boolean;

/** What is reserved in a media root (absolute, symlinks resolved); undefined: nothing, the usual case. */
export type ReservedPaths = (root: string) => IsReserved | undefined;

/** What a client may reach: its media root without the reserved paths. */
export interface RootBoundary {
  /** Absolute. */
  readonly root: string;
  readonly isReserved: IsReserved | undefined;
}

/** The boundary of the media root in the folder `path`, which may have become a symlink since the client was added. */
export async function openBoundary(path: string, reserved: ReservedPaths): Promise<RootBoundary> {
  const root = await realpath(path);
  return { root, isReserved: reserved(root) };
}

/**
 * Reserves `paths` and all that is below them, except for `mediaRoot` where it is below one of them. All paths are
 * absolute, symlinks resolved. Compares paths: does not recognise another name of the same file (a hard link, a second
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
 * Whether a client may reach an absolute path. `real` must be free of symlinks; `rest` are names below it that do not
 * exist yet.
 */
export function isInside(boundary: RootBoundary, real: string, rest: readonly string[] = []): boolean {
  const { root, isReserved } = boundary;
  // The usual case: without reserved paths, only a name that starts with a dot, or is empty, can make a difference.
  const isPlain = isReserved === undefined && !rest.some((name) => name === '' || name.startsWith('.'));
  const path = isPlain ? real : joinNames(real, rest);
  if (!isIn(root, path) || !isIn(root, real) || isReserved?.(path) === true) return false;
  return !path.includes(`/${RESERVED_PREFIX}`, root === '/' ? 0 : root.length);
}

/** As `join`, in a third of the time where there is nothing to resolve. */
function joinNames(real: string, rest: readonly string[]): string {
  if (rest.length === 0) return real;
  if (real === '/' || rest.some((name) => name === '' || name === '.' || name === '..')) return join(real, ...rest);
  return `${real}/${rest.join('/')}`;
}

const isIn = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder === '/' || path[folder.length] === '/');

const ASCII = /^[ -~]*$/;

/** One spelling for all paths that a disk without case or with normal forms may take for the same. */
export const foldName = (path: string): string => (ASCII.test(path) ? path : path.normalize('NFC')).toLowerCase();
