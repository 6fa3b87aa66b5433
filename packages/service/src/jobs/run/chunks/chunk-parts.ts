import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkMaker } from '../../ports/chunk-maker.ts';
import type { ChunkStore } from '../../ports/chunk-store.ts';
import type { ChunkWorkers } from './chunk-length.ts';

/**
 * The need of the tickets of chunks. A worker that cannot encode chunks, such as one of an older version, does not meet
 * it and so does not take them. Change the number if workers of the previous version cannot read the tasks any more.
 */
export const CHUNK_NEED = 'chunk:1';

/** What a worker needs to encode chunks, besides what it needs to run jobs. */
export interface ChunkParts extends ChunkWorkers {
  /** Loads the chunk maker, which few workers ever need. */
  readonly chunkMaker: () => Promise<ChunkMaker>;
  readonly chunkFiles: ChunkFiles;
  readonly chunks: ChunkStore;
}
