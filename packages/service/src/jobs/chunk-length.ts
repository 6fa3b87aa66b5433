import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { ChunkWorker } from '../workers/worker-operations.ts';

/** Returns how many seconds the chunks of an input of this length should have, or why it runs whole. */
export type LengthOf = (inputSeconds: number) => number | WholeReason;

export interface ChunkWorkers {
  /** What the tickets of chunks need: the same build of ffmpeg. Empty if there is only this worker. */
  readonly needs: Requirements['needs'];
  /** Returns the live workers with the same build of ffmpeg. */
  readonly sharingWorkers: () => Promise<readonly SharingWorker[]>;
}

/** A worker that encodes chunks, as far as it decides how long they are. */
export type SharingWorker = Pick<ChunkWorker, 'concurrency' | 'machine'>;

/** A shorter input is encoded whole with `"chunks": "auto"`. In seconds. */
const LEAST_SECONDS = 600;

/** The shortest and the longest chunk that `"auto"` chooses, in seconds. */
const [SHORTEST, LONGEST] = [15, 60];

/** How many chunks `"auto"` makes for each slot, so that all slots end at about the same time. */
const PER_SLOT = 8;

/**
 * Returns how long chunks of an input should be. `"auto"`: only if two machines or more can share an input of ten minutes or more.
 *
 * @param running How many jobs and chunks of the client may run at the same time.
 */
export async function chunkLength(
  chunks: Exclude<NonNullable<ConversionRequest['chunks']>, 'off'>,
  { sharingWorkers }: Pick<ChunkWorkers, 'sharingWorkers'>,
  running?: number,
): Promise<LengthOf> {
  if (chunks !== 'auto') return () => chunks.seconds;
  const workers = await sharingWorkers();
  return (length) => autoLength(length, workers, running);
}

/** The length of chunks that `"auto"` chooses, in seconds, or why the input runs whole. */
export function autoLength(
  inputSeconds: number,
  workers: readonly SharingWorker[],
  running = Number.POSITIVE_INFINITY,
): number | WholeReason {
  if (workers.length < 2) return { whole: 'Only one worker can convert the input.' };
  if (running < 2) return { whole: 'The client may run one job at a time.' };
  if (inputSeconds < LEAST_SECONDS)
    return {
      whole: `The input has ${Math.floor(inputSeconds)} s. With "auto", chunks need at least ${LEAST_SECONDS} s.`,
    };
  // A worker that does not say where it runs is on a machine of its own.
  if (new Set(workers.map((worker) => worker.machine?.id ?? worker)).size < 2)
    return { whole: 'All workers that can convert the input run on one machine.' };
  const slots = Math.min(
    running,
    workers.reduce((sum, { concurrency }) => sum + concurrency, 0),
  );
  return Math.min(LONGEST, Math.max(SHORTEST, inputSeconds / (slots * PER_SLOT)));
}
