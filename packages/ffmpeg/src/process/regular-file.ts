import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Flags that reject symlinks, and do not wait for the writer of a FIFO. */
export const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a regular file that ffmpeg wrote. undefined: there is no regular file. An exploited ffmpeg may have put anything in its place, such
 * as a symlink to a file of the service.
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
