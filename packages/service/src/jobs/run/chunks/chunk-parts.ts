import type { ChunkWorkers } from '../../chunk-length.ts';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkStore } from '../../ports/chunk-store.ts';
import type { ChunkMaker } from './chunk-maker.ts';

/**
 * The need of the tickets of chunks. A worker that cannot encode chunks, such as one of an older version, does not meet
 * it and so does not take them. Change the number if workers of the previous version cannot read the tasks any more.
 */
export const CHUNK_NEED = 'chunk:3';

/** The need of tickets of earlier versions. Workers take these too, to remove those whose chunks are gone; they give back the others. */
const EARLIER_NEEDS: ReadonlySet<string> = new Set(['chunk:1', 'chunk:2']);

/** True for the need of the ticket of a chunk, of this version or an earlier one. */
export const isChunkNeed = (need: string): boolean => need === CHUNK_NEED || EARLIER_NEEDS.has(need);

/** What a worker needs to encode chunks, besides what it needs to run jobs. */
export interface ChunkParts extends ChunkWorkers {
  /** Loads the chunk maker, which few workers ever need. */
  readonly chunkMaker: () => Promise<ChunkMaker>;
  readonly chunkFiles: ChunkFiles;
  readonly chunks: ChunkStore;
}
