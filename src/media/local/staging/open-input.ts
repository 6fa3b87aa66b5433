import { type BigIntStats, constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { hint, RETRY_JOB } from '../../../domain/hint.ts';
import { failed, inputFault, inputNotFound } from '../errors.ts';
import { fileIdOf } from '../paths/file-id.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** An input that was found, readable and inside the root. */
export interface FoundInput {
  /** Absolute, symlinks resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

/** O_NONBLOCK: a fifo put there meanwhile must not hold the service. */
export const INPUT_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Finds and opens the input at a client's path, and closes it again. What was opened is checked, not what was
 * looked up: a link put on the way in between is caught. (Who opens it again has the identity to compare.) Throws
 * INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT.
 */
export async function openInput(ground: RootBoundary, path: string): Promise<FoundInput> {
  try {
    const walked = await resolveSymlinks(ground.root, path.split('/'));
    if (walked.kind === 'loop') throw failed('INPUT_INVALID', `The input "${path}" is a symbolic link to itself.`);
    if (walked.kind === 'missing')
      throw isInside(ground, walked.real, walked.rest) ? inputNotFound(path) : outside(path);
    if (!isInside(ground, walked.real)) throw outside(path);
    // Before opening: opening a device can have effects of its own.
    refuseUnlessFile(path, walked.stats);
    const stats = await openedStats(walked.real);
    if (fileIdOf(stats) !== fileIdOf(walked.stats) || !isInside(ground, await realpath(walked.real)))
      throw failed('INPUT_INVALID', `The input "${path}" was replaced while it was being opened.`, hint`${RETRY_JOB}.`);
    if (stats.size === 0n)
      throw failed('INPUT_INVALID', `The input "${path}" is empty (0 bytes).`, 'Send a file that holds media.');
    return { real: walked.real, stats };
  } catch (error) {
    throw inputFault(path, error);
  }
}

async function openedStats(real: string): Promise<BigIntStats> {
  const handle = await open(real, INPUT_FLAGS);
  try {
    return await handle.stat({ bigint: true });
  } finally {
    await handle.close();
  }
}

function refuseUnlessFile(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) throw failed('INPUT_INVALID', `The input "${path}" is a folder.`, 'Name a file in it.');
  if (!stats.isFile())
    throw failed('INPUT_INVALID', `The input "${path}" is a device, pipe or socket.`, 'Name a regular file.');
}

const outside = (path: string) =>
  failed(
    'INPUT_INVALID',
    `The input "${path}" leads out of your media root by a symbolic link, or to files of the service's own.`,
    'Send a path that stays inside your media root.',
  );
