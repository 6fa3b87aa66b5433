import type { ChunkWorkers } from '../../chunk-length.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkStore } from '../../ports/chunk-store.ts';
import type { ChunkMaker } from './chunk-maker.ts';

/**
 * The need of the tickets of chunks. A worker that cannot encode chunks, such as one of an older version, does not meet
 * it and so does not take them. Change the number if workers of the previous version cannot read the tasks any more.
 */
export const CHUNK_NEED = 'chunk:3';

/**
 * True for the need of the ticket of a chunk, of this version or an earlier one. Workers also take the tickets of earlier versions: they remove
 * those whose chunks are gone, and give back the others.
 */
export const isChunkNeed = (need: string): boolean => /^chunk:[1-3]$/.test(need);

/** What a worker needs to encode chunks, besides what it needs to run jobs. */
export interface ChunkParts extends ChunkWorkers {
  /** Loads the chunk maker, which few workers ever need. */
  readonly chunkMaker: () => Promise<ChunkMaker>;
  readonly chunkFiles: ChunkFiles;
  readonly chunks: ChunkStore;
}
