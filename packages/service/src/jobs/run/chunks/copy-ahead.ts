import pLimit from 'p-limit';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { StagedPlan } from '../../ports/chunk-maker.ts';
import type { Chunk } from '../../ports/chunk-store.ts';
import { fileIdOf, readTask } from './chunk-task.ts';

/** How many chunks are copied from an object store at the same time before they are joined. */
export const COPIES_AT_ONCE = 4;

/** The copies of encoded chunks to the scratch folder of the job. */
export interface ChunksAhead {
  /** Begins to copy those of these chunks that are encoded, unless they will be encoded again. */
  add(chunks: readonly Pick<Chunk, 'chunkId' | 'fence' | 'state' | 'task'>[]): void;
  /** Resolves when no copy runs. */
  settle(): Promise<void>;
  /** Stops all copies. Resolves when they have ended. */
  stop(): Promise<void>;
}

/**
 * Copies chunks to the scratch folder of their job as soon as they are encoded, so that only the last ones are left to copy
 * when all are encoded. A copy that fails is left to `ChunkFiles.link`, which reports why.
 */
export function copyChunksAhead(
  chunkFiles: Pick<ChunkFiles, 'copyAhead'>,
  { scratch, signal }: Pick<StagedPlan, 'scratch' | 'signal'>,
): ChunksAhead {
  const ended = new AbortController();
  const limit = pLimit(COPIES_AT_ONCE);
  const begun = new Set<string>();
  const running = new Set<Promise<void>>();
  const options = { signal: AbortSignal.any([signal, ended.signal]) };
  const settle = async (): Promise<void> => {
    await Promise.all(running);
  };
  return {
    add: (chunks) => {
      if (chunkFiles.copyAhead === undefined) return;
      for (const chunk of chunks) {
        const id = fileIdOf(chunk);
        if (chunk.state !== 'DONE' || begun.has(id) || readTask(chunk).later !== undefined) continue;
        begun.add(id);
        const copy = limit(async () => chunkFiles.copyAhead?.(scratch, id, options)).catch(() => undefined);
        running.add(copy);
        void copy.finally(() => running.delete(copy));
      }
    },
    settle,
    stop: () => {
      ended.abort();
      return settle();
    },
  };
}
