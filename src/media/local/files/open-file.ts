import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { OpenFile } from '../../../files/ports.ts';
import { realPathOf } from '../paths/directory-handle.ts';
import { type ResolvedPath, resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { foldCase, isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { INPUT_FLAGS } from '../staging/open-input.ts';
import { factsOf } from './file-facts.ts';
import { fileNotFound, fileProblem, notAFile, outside } from './file-problems.ts';

/** Bytes read at a time: fewer turns of the thread pool than with Node's 64 KiB, and still little for each reader. */
const CHUNK_BYTES = 256 * 1024;

/** A file may be replaced in the moment in which it is opened, but hardly so often. */
const TRIES = 10;

/** Opens the file at a client's path. */
export async function openFile(ground: RootBoundary, path: MediaPath): Promise<OpenFile> {
  try {
    for (let i = 0; i < TRIES; i += 1) {
      const { real } = await findFile(ground, path);
      const handle = await openAt(real);
      if (handle !== undefined) return await held(path, handle);
    }
    throw fileNotFound(path);
  } catch (error) {
    throw fileProblem(path, 'reading the file', error);
  }
}

/** What stands at a client's path, symlinks followed: a regular file inside the root, or it throws. */
export async function findFile(
  ground: RootBoundary,
  path: MediaPath,
): Promise<Extract<ResolvedPath, { kind: 'there' }>> {
  const walked = await resolveSymlinks(ground.root, path.split('/'));
  if (walked.kind === 'loop') throw fileNotFound(path);
  if (walked.kind === 'missing') throw isInside(ground, walked.real, walked.rest) ? fileNotFound(path) : outside();
  if (!isInside(ground, walked.real)) throw outside();
  // Before opening: opening a device can have effects of its own.
  if (!walked.stats.isFile()) throw notAFile(path);
  return walked;
}

/**
 * What was opened is checked, not what was looked up. undefined: it is not the file at `real`, by a link that was put
 * on the way, or it was replaced.
 */
async function openAt(real: string): Promise<FileHandle | undefined> {
  const handle = await open(real, INPUT_FLAGS);
  try {
    if (foldCase(await realPathOf(handle, real)) === foldCase(real)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function held(path: MediaPath, handle: FileHandle): Promise<OpenFile> {
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile(path);
    return {
      ...factsOf(path, stats),
      read: (first, last) => {
        const stream = Readable.from(chunks(handle, first, last), { objectMode: false, highWaterMark: CHUNK_BYTES });
        // Also where nothing was read of it.
        return stream.once('close', () => void handle.close());
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A file that was cut short meanwhile is an error: what was sent of it must not be taken for the whole. */
async function* chunks(handle: FileHandle, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let at = first; at <= last; ) {
    const wanted = Math.min(CHUNK_BYTES, last - at + 1);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error('The file was cut short while it was read.');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
