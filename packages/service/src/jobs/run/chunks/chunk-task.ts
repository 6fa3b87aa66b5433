import type { Warning } from '@telecine/contract/domain/plan.ts';
import type { EncodedPart } from '@telecine/ffmpeg/analysis/compare-joined.ts';
import type { PartFacts } from '@telecine/ffmpeg/chunks/checks.ts';
import type { ChunkPart } from '@telecine/ffmpeg/chunks/parts.ts';
import type { SampleTask, TriedSample } from '@telecine/ffmpeg/sampling/run/try-samples.ts';
import type { Chunk } from '../../ports/chunk-store.ts';

/** The task of a stored chunk for the worker that encodes it: a part of the job, or a sample of its search. Samples are stored for one round. */
export type ChunkTask = {
  /** See `planKeyOf` and `inputKeyOf` of `chunkMaker`. A worker with other keys leaves the chunk to others. */
  readonly planKey: string;
  readonly inputKey: string;
  /** The length in seconds that the progress of the job counts. */
  readonly seconds: number;
} & TaskContent;

/** The part of a task that one chunk alone has. */
export type TaskContent =
  | { readonly part: ChunkPart; readonly sample?: never }
  | { readonly sample: SampleTask; readonly part?: never };

/** How many seconds of a job are encoded, how many there are, and how many chunks are complete. */
export function sumOfChunks(chunks: readonly Pick<Chunk, 'task' | 'state' | 'doneSeconds'>[]) {
  let [done, total, complete] = [0, 0, 0];
  for (const chunk of chunks) {
    const { seconds } = readTask(chunk);
    const isDone = chunk.state === 'DONE';
    total += seconds;
    done += isDone ? seconds : Math.min(seconds, chunk.doneSeconds);
    if (isDone) complete += 1;
  }
  return { done, total, complete };
}

/** What the worker of a chunk stores with it when it is encoded. */
export interface EncodedChunk {
  readonly facts: PartFacts;
  /** The size of its file. */
  readonly bytes: number;
  /** See `EncodedPart`. */
  readonly taken?: EncodedPart['taken'];
  /** The warnings of the run that are about this part alone. */
  readonly warnings: readonly Warning[];
}

/** What the worker of a sample stores with it. */
export interface TriedChunk {
  readonly tried: TriedSample;
}

export const writeTask = (task: ChunkTask): string => JSON.stringify(task);

/** Reads a task. Does not check its shape, because a service with the same database wrote it. */
export const readTask = ({ task }: Pick<Chunk, 'task'>): ChunkTask => JSON.parse(task) as ChunkTask;

/** Reads what `ChunkStore.finish` stored with a sample. */
export const readTried = ({ facts = '' }: Pick<Chunk, 'facts'>): TriedChunk => JSON.parse(facts) as TriedChunk;

/** Reads what `ChunkStore.finish` stored with a part of the job. */
export const readEncoded = ({ facts = '' }: Pick<Chunk, 'facts'>): EncodedChunk => JSON.parse(facts) as EncodedChunk;

/** The name of the file of a chunk in `ChunkFiles`. */
export const fileIdOf = ({ chunkId, fence }: Pick<Chunk, 'chunkId' | 'fence'>): string => `${chunkId}.${fence}`;
