import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { PreparedRun } from '../conversion-run.ts';

/** A second output may use at most this share of the free disk space, which the service may want to keep free. */
const SHARE_OF_FREE = 0.1;
/** How much larger than expected a second output may become. */
const MARGIN = 1.1;

/** The first output, and how many times as large the video of the second is expected to be. */
interface ExpectedGrowth {
  readonly bytes: number;
  readonly videoBytes: number;
  readonly growth: number;
}

/** The bytes for which a second output needs room. */
export function wantedBytes({ bytes, videoBytes, growth }: ExpectedGrowth): number {
  // If the bytes of the video are unknown, count all bytes as video.
  const video = videoBytes > 0 ? Math.min(bytes, videoBytes) : bytes;
  return Math.round((bytes - video + video * growth) * MARGIN);
}

/** Returns whether a second output fits into the scratch folder besides the first. */
export async function hasRoomFor(
  { dir, policy }: Pick<PreparedRun, 'dir' | 'policy'>,
  expected: ExpectedGrowth,
): Promise<boolean> {
  const wanted = wantedBytes(expected);
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
