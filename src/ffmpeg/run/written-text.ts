import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads a text that ffmpeg wrote. undefined if it is not there or too long. An ffmpeg that was exploited may have put anything in
 * its place, so only a regular file is read.
 *
 * @param path Absolute.
 */
export async function readWrittenText(path: string, maxBytes: number): Promise<string | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(path, flags).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= maxBytes ? await handle.readFile('latin1') : undefined;
  } finally {
    await handle.close();
  }
}
