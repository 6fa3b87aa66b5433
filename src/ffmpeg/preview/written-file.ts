import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A finished picture is smaller. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * Reads a file that ffmpeg wrote. undefined if there is none, or it is empty or too large. An ffmpeg that was exploited may have put
 * anything there, such as a symlink to a file of the service, so only a regular file is read.
 */
export async function readWritten(path: string): Promise<Uint8Array | undefined> {
  const handle = await openWritten(path);
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat();
    if (!stats.isFile() || stats.size === 0 || stats.size > MAX_BYTES) return undefined;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size), 0, stats.size, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Whether ffmpeg wrote a file that is not empty. */
export async function isWritten(path: string): Promise<boolean> {
  const handle = await openWritten(path);
  if (handle === undefined) return false;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size > 0;
  } finally {
    await handle.close();
  }
}

const openWritten = (path: string) =>
  open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
