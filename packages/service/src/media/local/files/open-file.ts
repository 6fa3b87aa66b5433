import { type FileHandle, open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { OpenFile } from '../../../files/ports.ts';
import { REPLACED } from '../../errno-codes.ts';
import { foldName } from '../../file-names.ts';
import { diskProblem, fileNotFound, notAFile, outsideRoot } from '../../file-problems.ts';
import { READ_FLAGS, realPathOf } from '../../scratch/directory-handle.ts';
import { factsOf } from '../paths/file-facts.ts';
import { resolveIn } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';

/**
 * The number of bytes per read. From 128 KiB on, malloc would call the kernel for each buffer, which costs more than a
 * second read.
 */
const CHUNK_BYTES = 64 * 1024;

/** How many times the service tries to open a file that another program keeps replacing. */
const MAX_ATTEMPTS = 10;

/** Opens the file at a client's path. Throws FILE_NOT_FOUND, NOT_A_FILE, INVALID_REQUEST, STORAGE_FAULT. */
export async function openFile(boundary: RootBoundary, path: MediaPath): Promise<OpenFile> {
  try {
    for (let i = 0; i < MAX_ATTEMPTS; i += 1) {
      const real = await findFile(boundary, path);
      const handle = await boundary.disks.call(real, () => openChecked(real), { discard: (late) => late?.close() });
      if (handle !== undefined) return await toOpenFile(path, handle);
    }
    throw fileNotFound(path);
  } catch (error) {
    throw diskProblem(path, 'reading the file', error);
  }
}

/** Returns the absolute path, without symlinks, of the regular file at a path of a client. */
async function findFile(boundary: RootBoundary, path: MediaPath): Promise<string> {
  const resolved = await resolveIn(boundary, path.split('/'));
  if (resolved.kind === 'loop') throw fileNotFound(path);
  if (resolved.kind === 'missing')
    throw isInside(boundary, resolved.real, resolved.rest) ? fileNotFound(path) : outsideRoot();
  if (!isInside(boundary, resolved.real)) throw outsideRoot();
  // Check the kind of file before opening it: opening a device can have side effects.
  if (!resolved.stats.isFile()) throw notAFile(path);
  return resolved.real;
}

/**
 * Opens the file at `real`. Returns undefined if the opened file turns out to be elsewhere: the file was replaced, or a
 * folder in the path became a symlink.
 */
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
          // If a reader stops reading, keep only one chunk in memory here. The socket of the reader keeps another one.
          highWaterMark: 1,
        });
        // Closes the file even if nobody has read the stream.
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
  /**
   * Returns how many of the last bytes of the stream are still in use, such as in a socket. undefined: all bytes may be
   * in use.
   */
  readonly inUse: (() => number) | undefined;
}

/** Throws if another program truncates the file during the read. */
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
 * Provides two buffers, which the chunks of a stream use in turn. With a new buffer for each chunk, a thousand readers
 * would produce gigabytes of garbage.
 *
 * @param inUse Returns how many of the last bytes of the stream are still in use. A buffer with such bytes is not
 * reused. undefined: no buffer is reused.
 */
export function chunkBuffers(inUse?: () => number) {
  /** `end`: how many bytes the stream had at the end of this buffer. */
  let [older, newer] = [
    { buffer: Buffer.alloc(0), end: 0 },
    { buffer: Buffer.alloc(0), end: 0 },
  ];
  let total = 0;
  return {
    /** Returns a buffer with at least `length` bytes. */
    next: (length: number): Buffer => {
      const isFree = inUse !== undefined && older.buffer.length >= length && older.end <= total - inUse();
      const buffer = isFree ? older.buffer : Buffer.allocUnsafe(length);
      [older, newer] = [newer, { buffer, end: total }];
      return buffer;
    },
    /** Tells how many bytes of the last buffer were filled. */
    fill: (bytes: number): void => {
      total += bytes;
      newer.end = total;
    },
  };
}
