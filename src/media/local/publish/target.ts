import { realpath } from 'node:fs/promises';
import { failed, outputFault, outputOutside, storageFault } from '../errors.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type ReservedPaths, type RootBoundary } from '../paths/root-boundary.ts';

/** Where a file is to appear: `name` in the folder `rest`, still to be made, below the folder `real`. */
export interface PublishTarget {
  /** Absolute, symlinks resolved, inside the root. */
  readonly real: string;
  readonly rest: readonly string[];
  readonly name: string;
}

/** The root may have become a symlink since the client was made. */
export async function openBoundary(root: string, reserved: ReservedPaths): Promise<RootBoundary> {
  try {
    const real = await realpath(root);
    return { root: real, isReserved: reserved(real) };
  } catch (error) {
    throw storageFault('opening the media root', error);
  }
}

/** What stands between a path and a file of that name. */
export type NoTarget = 'loop' | 'outside' | 'below a file';

/**
 * Finds the folder of a file that is to appear, following symlinks as long as they stay inside. The last name is not
 * followed: where it is a symlink, the link is what gets replaced. Throws what the disk throws.
 */
export async function findPublishTarget(ground: RootBoundary, path: string): Promise<PublishTarget | NoTarget> {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const walked = await resolveSymlinks(ground.root, folders);
  if (walked.kind === 'loop') return 'loop';
  const rest = walked.kind === 'missing' ? walked.rest : [];
  if (!isInside(ground, walked.real, [...rest, name])) return 'outside';
  if (walked.kind === 'missing' ? walked.belowFile : !walked.stats.isDirectory()) return 'below a file';
  // `..` after a missing name can only come from a link that leads nowhere.
  if (rest.includes('..')) return 'outside';
  return { real: walked.real, rest: rest.filter((part) => part !== '' && part !== '.'), name };
}

/** As `seekTarget`, of an output. Throws UNSUPPORTED, STORAGE_FAULT. */
export async function findTarget(ground: RootBoundary, path: string): Promise<PublishTarget> {
  const target = await findPublishTarget(ground, path).catch((error: unknown) => {
    throw outputFault(path, error);
  });
  switch (target) {
    case 'loop':
      throw failed('UNSUPPORTED', `The output "${path}" lies below a link to itself.`);
    case 'outside':
      throw outputOutside(path);
    case 'below a file':
      throw failed(
        'UNSUPPORTED',
        `The output "${path}" cannot be made: one of its folders is a file.`,
        'Send another path.',
      );
    default:
      return target;
  }
}
