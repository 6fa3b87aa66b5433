import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { OpenFile } from '../../../files/ports.ts';
import { READ_FLAGS, realPathOf } from '../paths/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { foldName, isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { fileNotFound, fileProblem, notAFile, outsideRoot } from './file-problems.ts';

/** Bytes per read: fewer calls to the thread pool than with Node's 64 KiB, and still little memory per reader. */
const CHUNK_BYTES = 256 * 1024;

/** A file may be replaced just when it is opened, but hardly this often in a row. */
const MAX_ATTEMPTS = 10;

/** Opens the file at a client's path. Throws FILE_NOT_FOUND, NOT_A_FILE, INVALID_REQUEST, STORAGE_FAULT. */
export async function openFile(boundary: RootBoundary, path: MediaPath): Promise<OpenFile> {
  try {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const handle = await openChecked(await findFile(boundary, path));
      if (handle !== undefined) return await toOpenFile(path, handle);
    }
    throw fileNotFound(path);
  } catch (error) {
    throw fileProblem(path, 'reading the file', error);
  }
}

/** The absolute path of the regular file at a client's path, symlinks resolved. */
async function findFile(boundary: RootBoundary, path: MediaPath): Promise<string> {
  const resolved = await resolveSymlinks(boundary.root, path.split('/'));
  if (resolved.kind === 'loop') throw fileNotFound(path);
  if (resolved.kind === 'missing')
    throw isInside(boundary, resolved.real, resolved.rest) ? fileNotFound(path) : outsideRoot();
  if (!isInside(boundary, resolved.real)) throw outsideRoot();
  // Before opening: opening a device can have side effects.
  if (!resolved.stats.isFile()) throw notAFile(path);
  return resolved.real;
}

/** Undefined where the opened file is not at `real`: it was replaced, or a symlink was put into the path. */
async function openChecked(real: string): Promise<FileHandle | undefined> {
  const handle = await open(real, READ_FLAGS);
  try {
    if (foldName(await realPathOf(handle, real)) === foldName(real)) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function toOpenFile(path: MediaPath, handle: FileHandle): Promise<OpenFile> {
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw notAFile(path);
    return {
      ...factsOf(path, stats),
      read: (first, last) => {
        const stream = Readable.from(readChunks(handle, first, last), {
          objectMode: false,
          highWaterMark: CHUNK_BYTES,
        });
        // Also closes a file of which nothing was read.
        return stream.once('close', () => void handle.close());
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Throws for a file that was truncated while it was read: its reader must not take the part for the whole. */
async function* readChunks(handle: FileHandle, first: number, last: number): AsyncGenerator<Uint8Array> {
  for (let position = first; position <= last; ) {
    const length = Math.min(CHUNK_BYTES, last - position + 1);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
    if (bytesRead === 0) throw new Error('The file was truncated while it was read.');
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}
