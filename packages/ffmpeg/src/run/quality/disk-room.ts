import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreparedRun } from '../conversion-run.ts';

/** A second output may use at most this share of the free disk space, which the service may want to keep free. */
const SHARE_OF_FREE = 0.1;
/** How much larger than the first output the second may become. */
const GROWTH = 1.3;

/** Returns whether a second output of about `bytes` fits into the scratch folder besides the first. */
export async function hasRoomFor(
  { dir, policy }: Pick<PreparedRun, 'dir' | 'policy'>,
  bytes: number,
): Promise<boolean> {
  const wanted = bytes * GROWTH;
  const { bavail, bsize } = await statfs(dir);
  if (wanted > bavail * bsize * SHARE_OF_FREE) return false;
  return policy.scratch === undefined || (await bytesIn(dir)) + wanted <= policy.scratch;
}

async function bytesIn(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) =>
    entry.isFile() ? ((await lstat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0) : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
