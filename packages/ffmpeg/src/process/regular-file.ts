import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Flags for reading: opening a symlink fails, and opening a FIFO does not wait for a writer. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Reads a file that ffmpeg wrote. undefined: it is not a regular file. A compromised ffmpeg may have put anything in its place, such as a
 * symlink to a file of the service.
 *
 * @param path Absolute.
 */
export async function readRegularFile<T>(
  path: string,
  read: (file: FileHandle, size: number) => Promise<T>,
): Promise<T | undefined> {
  await using file = await open(path, READ_FLAGS).catch(() => undefined);
  const stats = await file?.stat();
  return file !== undefined && stats?.isFile() === true ? await read(file, stats.size) : undefined;
}

/** Returns a function that reads bytes of an open file: fewer at its end. */
export const readerOf =
  (file: FileHandle) =>
  async (position: number, length: number): Promise<Uint8Array> => {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  };
