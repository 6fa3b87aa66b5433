import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScratchUsage } from '../../../jobs/ports.ts';

/** The folders of a scratch folder that ffmpeg writes to. */
const WRITTEN = ['out', 'pass'] as const;

/** The unit of `st_blocks` on every file system. */
const BLOCK = 512;

/**
 * Measures the files that ffmpeg has written to the scratch folders `dirs`. A file deleted meanwhile has zero bytes.
 */
export async function scratchUsage(dirs: readonly string[]): Promise<ScratchUsage> {
  let blocks = 0;
  let files = 0;
  for (const folder of dirs.flatMap((dir) => WRITTEN.map((name) => join(dir, name))))
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      files += 1;
      blocks += await lstat(join(folder, name)).then(
        (stats) => stats.blocks,
        () => 0,
      );
    }
  return { bytes: blocks * BLOCK, files };
}
