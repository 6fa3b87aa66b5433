import { JobFailed } from '../../domain/failure.ts';
import type { ScratchUsage } from '../../jobs/ports/media-store.ts';
import { failed, storageFailure } from '../job-failures.ts';
import { type DirectoryHandle, DirectoryMoved } from './directory-handle.ts';
import { statsOfTree, TreeTooLarge } from './written-tree.ts';

/** The folders of a scratch folder that ffmpeg writes to. Few conversions need the second. */
const WRITTEN = ['out', 'pass'] as const;

/** The unit of `st_blocks` on every file system. */
const BLOCK = 512;

/** The most files and folders of one conversion. At most half as many can be published. */
const MAX_ENTRIES = 20_000;

/**
 * Measures the files that ffmpeg has written to a scratch folder. A file deleted meanwhile has zero bytes. Throws a
 * `JobFailed` if anything else cannot be measured: what cannot be counted may be of any size.
 */
export async function scratchUsage({
  isLocal,
  pathOf,
}: Pick<DirectoryHandle, 'isLocal' | 'pathOf'>): Promise<ScratchUsage> {
  let blocks = 0n;
  let files = 0;
  try {
    for (const name of WRITTEN) {
      const tree = statsOfTree(pathOf(name), MAX_ENTRIES - files, {
        mayBeMissing: name === 'pass',
        isLocal,
      });
      for await (const stats of tree) {
        files += 1;
        blocks += stats.blocks;
      }
    }
  } catch (error) {
    throw usageFailure(error);
  }
  return { bytes: Number(blocks) * BLOCK, files };
}

function usageFailure(error: unknown): unknown {
  if (error instanceof JobFailed) return error;
  if (error instanceof TreeTooLarge)
    return failed(
      'LIMIT_EXCEEDED',
      `The conversion wrote ${error.message}.`,
      'Write fewer files: use longer segments, a lower frame rate or a part of the input.',
      error,
    );
  if (error instanceof DirectoryMoved)
    return failed('FFMPEG_FAILED', 'The output folder of the conversion was replaced.', undefined, error);
  return storageFailure('measuring the written files', error);
}
