import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { hostname } from 'node:os';

/**
 * Returns 16 letters and digits for the names of this service's own folders in a media root, which services may share.
 * They stand for its host and its data folder, which no other service of the host has.
 */
export async function serviceKey(dataDir: string, host = hostname()): Promise<string> {
  const real = await realpath(dataDir);
  const { ino } = await stat(real);
  return createHash('sha256').update(`${host}:${real}:${ino}`).digest('hex').slice(0, 16);
}
