import type { Chunk } from '../../ports/chunk-store.ts';

/** What a stored chunk says to the worker that encodes it. */
export interface ChunkTask {
  /** See `ChunkMaker.keyOf`. A worker with another key leaves the chunk to others. */
  readonly key: string;
  /** One of the `films` of `ChunkMaker.cut`. */
  readonly film: string;
  /** The length in seconds that the progress of the job counts. */
  readonly seconds: number;
}

export const writeTask = (task: ChunkTask): string => JSON.stringify(task);

/** Reads a task. Does not check its shape, because a service with the same database wrote it. */
export const readTask = ({ task }: Pick<Chunk, 'task'>): ChunkTask => JSON.parse(task) as ChunkTask;

/** The name of the file of a chunk in `ChunkFiles`. */
export const fileIdOf = ({ chunkId, fence }: Pick<Chunk, 'chunkId' | 'fence'>): string => `${chunkId}.${fence}`;
