import { type BigIntStats, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import type { Mount } from '../../../domain/plan.ts';
import type { SequenceGap } from '../../../jobs/ports/media-store.ts';
import { emptyInput, failed, folderAsInput, inputFailure, inputNotFound, inputReplaced } from '../../job-failures.ts';
import { READ_FLAGS } from '../../scratch/directory-handle.ts';
import { openEntry } from '../../scratch/open-entry.ts';
import { fileIdOf } from '../paths/file-facts.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** A staged input of the local engine. */
export interface LocalInput extends Required<Mount> {
  readonly sizeBytes: number;
  readonly gap?: SequenceGap;
}

/** An input that exists, is readable and is inside the media root. */
export interface FoundInput {
  /** Absolute, symlinks resolved. */
  readonly real: string;
  readonly stats: BigIntStats;
}

/**
 * Finds the input at a client's path, opens it and closes it again. Checks the opened file, so it detects that a part
 * of the path became a symlink after the lookup. Code that opens the file again must compare the file id. Throws
 * INPUT_NOT_FOUND, INPUT_INVALID, STORAGE_FAULT.
 */
export async function openInput(boundary: RootBoundary, path: string): Promise<FoundInput> {
  try {
    const resolved = await resolveIn(boundary, path.split('/'));
    if (resolved.kind === 'loop')
      throw failed('INPUT_INVALID', `Input "${path}" is a symlink that leads to itself.`, 'Send the path of a file.');
    if (resolved.kind === 'missing')
      throw isInside(boundary, resolved.real, resolved.rest) ? inputNotFound(path) : inputOutside(path);
    const { real, stats } = resolved;
    if (!isInside(boundary, real)) throw inputOutside(path);
    // Check before opening, because opening a device can have side effects.
    checkIsFile(path, stats);
    const { isLocal = false } = boundary;
    const opened = await statsOfOpened(real, isLocal);
    const now = isLocal ? realpathSync.native(real) : await realpath(real);
    if (fileIdOf(opened) !== fileIdOf(stats) || !isInside(boundary, now)) throw inputReplaced(path);
    if (opened.size === 0n) throw emptyInput(path);
    return { real, stats: opened };
  } catch (error) {
    throw inputFailure(path, error);
  }
}

async function statsOfOpened(real: string, isLocal: boolean): Promise<BigIntStats> {
  const handle = await openEntry(real, READ_FLAGS, isLocal);
  try {
    return await handle.stats();
  } finally {
    await handle.close();
  }
}

function checkIsFile(path: string, stats: BigIntStats): void {
  if (stats.isDirectory()) throw folderAsInput(path);
  if (!stats.isFile())
    throw failed('INPUT_INVALID', `Input "${path}" is a device, pipe or socket.`, 'Send the path of a file.');
}

const inputOutside = (path: string) =>
  failed(
    'INPUT_INVALID',
    `Input "${path}" resolves outside your media root or to a reserved file.`,
    'Send a path inside your media root.',
  );
