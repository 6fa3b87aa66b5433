import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScratchUsage } from '../../../jobs/ports.ts';

/** Folders of a scratch that ffmpeg writes to. */
const WRITTEN = ['out', 'pass'] as const;

/** What is going while it is counted counts nothing. */
export async function scratchUsage(folders: readonly string[]): Promise<ScratchUsage> {
  let blocks = 0;
  let files = 0;
  for (const folder of folders.flatMap((dir) => WRITTEN.map((part) => join(dir, part))))
    for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
      files += 1;
      blocks += await lstat(join(folder, name)).then(
        (stats) => stats.blocks,
        () => 0,
      );
    }
  return { bytes: blocks * BLOCK, files };
}

/** The unit of `st_blocks`, whatever the disk's own is. */
const BLOCK = 512;
