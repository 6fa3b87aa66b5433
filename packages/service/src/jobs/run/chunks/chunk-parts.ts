import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { ChunkMaker } from '../../ports/chunk-maker.ts';
import type { ChunkStore } from '../../ports/chunk-store.ts';
import type { ChunkWorkers } from './chunk-length.ts';

/** What a worker needs to encode chunks, besides what it needs to run jobs. */
export interface ChunkParts extends ChunkWorkers {
  readonly chunkMaker: ChunkMaker;
  readonly chunkFiles: ChunkFiles;
  readonly chunks: ChunkStore;
}
