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
