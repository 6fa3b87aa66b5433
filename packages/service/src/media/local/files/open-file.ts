import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { OpenFile } from '../../../files/ports.ts';
import { ignoreErrno, REPLACED } from '../../errno-codes.ts';
import { foldName } from '../../file-names.ts';
import { diskProblem, fileNotFound, notAFile, outsideRoot } from '../../file-problems.ts';
import { READ_FLAGS, realPathOf } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/** Bytes per read. From 128 KiB on, malloc calls the kernel for each buffer. Such a call costs more than a second read. */
const CHUNK_BYTES = 64 * 1024;

/** The most attempts to open a file while another program keeps replacing the file. */
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
    throw diskProblem(path, 'reading the file', error);
  }
}

/** Returns the absolute path, with symlinks resolved, of the regular file at a client's path. */
async function findFile(boundary: RootBoundary, path: MediaPath): Promise<string> {
  const resolved = await resolveSymlinks(boundary.root, path.split('/'));
  if (resolved.kind === 'loop') throw fileNotFound(path);
  if (resolved.kind === 'missing')
    throw isInside(boundary, resolved.real, resolved.rest) ? fileNotFound(path) : outsideRoot();
  if (!isInside(boundary, resolved.real)) throw outsideRoot();
  // Check the type of the file before opening it, because opening a device can have side effects.
  if (!resolved.stats.isFile()) throw notAFile(path);
  return resolved.real;
}

/** Returns undefined if the opened file is not at `real`: it was replaced, or a folder of the path became a symlink. */
async function openChecked(real: string): Promise<FileHandle | undefined> {
  const handle = await open(real, READ_FLAGS).catch(ignoreErrno(...REPLACED));
  if (handle === undefined) return undefined;
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
    const facts = factsOf(path, stats);
    return {
      ...facts,
      isOutput: (fingerprint) => fingerprint === facts.fingerprint,
      read: (first, last, unsentBytes) => {
        const inUse = unsentBytes && ((): number => unsentBytes() + stream.readableLength);
        const stream = Readable.from(readChunks(handle, { first, last, inUse }), {
          objectMode: false,
          // A reader that stops has one chunk here and one in its socket.
          highWaterMark: 1,
        });
        // This also closes a file that was not read.
        return stream.once('close', () => void handle.close());
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

interface ReadRange {
  readonly first: number;
  readonly last: number;
  /** Returns how many of the last bytes are still in use. Undefined: all. */
  readonly inUse: (() => number) | undefined;
}

/** Throws if the file is truncated during the read. */
async function* readChunks(handle: FileHandle, { first, last, inUse }: ReadRange): AsyncGenerator<Uint8Array> {
  const buffers = chunkBuffers(inUse);
  for (let position = first; position <= last; ) {
    const length = Math.min(CHUNK_BYTES, last - position + 1);
    const { bytesRead, buffer } = await handle.read(buffers.next(length), 0, length, position);
    if (bytesRead === 0) throw new Error('The file was truncated while it was read.');
    buffers.fill(bytesRead);
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/**
 * Two buffers for the chunks of a stream, used in turn: with a new buffer for each chunk, a thousand readers leave gigabytes of
 * garbage.
 *
 * @param inUse Returns how many of the last bytes are still in use. A buffer with such bytes is replaced. Absent: all are in use.
 */
export function chunkBuffers(inUse?: () => number) {
  /** `end`: the number of all bytes so far when the buffer was full. */
  let [older, newer] = [
    { buffer: Buffer.alloc(0), end: 0 },
    { buffer: Buffer.alloc(0), end: 0 },
  ];
  let total = 0;
  return {
    /** Returns a buffer of at least `length` bytes. */
    next: (length: number): Buffer => {
      const isFree = inUse !== undefined && older.buffer.length >= length && older.end <= total - inUse();
      const buffer = isFree ? older.buffer : Buffer.allocUnsafe(length);
      [older, newer] = [newer, { buffer, end: total }];
      return buffer;
    },
    /** Counts the bytes of the chunk in the last buffer. */
    fill: (bytes: number): void => {
      total += bytes;
      newer.end = total;
    },
  };
}
