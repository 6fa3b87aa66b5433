import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Scratch } from '../jobs/ports.ts';

/** Folders of a scratch that ffmpeg writes to. */
const WRITTEN = ['out', 'pass'] as const;

/** Of disk, as the files take it: a sparse one less than its size. What is going while it is counted counts nothing. */
export async function usedBytes({ dir }: Pick<Scratch, 'dir'>): Promise<number> {
  let blocks = 0;
  for (const part of WRITTEN)
    for (const name of await readdir(join(dir, part), { recursive: true }).catch(() => []))
      blocks += await lstat(join(dir, part, name)).then(
        (stats) => stats.blocks,
        () => 0,
      );
  return blocks * BLOCK;
}

/** The unit of `st_blocks`, whatever the disk's own is. */
const BLOCK = 512;
