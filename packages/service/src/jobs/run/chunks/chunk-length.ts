import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { ChunkWorker } from '../../../workers/worker-operations.ts';
import { type ChunkForecast, isWhole, type LengthsOf } from '../../ports/chunk-maker.ts';

export interface ChunkWorkers {
  /** What the tickets of chunks need: the same build of ffmpeg. Empty if there is only this worker. */
  readonly needs: Requirements['needs'];
  /** Returns the live workers with the same build of ffmpeg. */
  readonly sharingWorkers: () => Promise<readonly SharingWorker[]>;
}

/** A worker that encodes chunks, as far as it decides how long they are. */
type SharingWorker = Pick<ChunkWorker, 'concurrency' | 'machine'>;

/** A shorter input is encoded whole with `"chunks": "auto"`, in seconds. */
const MIN_LENGTH = 600;

/** The shortest and the longest chunk that `"auto"` chooses, in seconds. */
const [SHORTEST, LONGEST] = [10, 60];

/** How many long chunks `"auto"` makes for each slot. The last of them is cut further. */
const PER_SLOT = 4;

/** Into how many chunks the last one of each slot is cut, so that all slots end at about the same time. */
const CHUNKS_OF_LAST = 4;

/** The shortest of these, in seconds. */
const SHORTEST_AT_END = 3;

/**
 * Returns how long chunks of an input should be. `"auto"`: only if workers on several machines can share a long input. `running`: how
 * many jobs and chunks of the client may run at the same time.
 */
export async function chunkLengths(
  chunks: Exclude<NonNullable<ConversionRequest['chunks']>, 'off'>,
  { sharingWorkers }: Pick<ChunkWorkers, 'sharingWorkers'>,
  running?: number,
): Promise<LengthsOf> {
  return chunks === 'auto' ? autoLengths(await sharingWorkers(), running) : () => chunks;
}

function autoLengths(workers: readonly SharingWorker[], running: number | undefined): LengthsOf {
  const slots = slotsInAll(workers, running);
  return (length) => {
    if (workers.length < 2) return { whole: 'Only one worker can convert the input.' };
    if (slots < 2) return { whole: 'The client may run one job at a time.' };
    if (length < MIN_LENGTH)
      return { whole: `The input has ${Math.floor(length)} s. With "auto", chunks need at least ${MIN_LENGTH} s.` };
    // A worker that does not say where it runs is on a machine of its own.
    if (new Set(workers.map((worker) => worker.machine?.id ?? worker)).size < 2)
      return { whole: 'All workers that can convert the input run on one machine.' };
    const seconds = Math.min(LONGEST, Math.max(SHORTEST, length / (slots * PER_SLOT)));
    const span = Math.min(slots * seconds, length / 2);
    return { seconds, end: { span, seconds: Math.max(SHORTEST_AT_END, seconds / CHUNKS_OF_LAST) } };
  };
}

const slotsInAll = (workers: readonly SharingWorker[], running = Number.POSITIVE_INFINITY): number =>
  Math.min(
    running,
    workers.reduce((sum, { concurrency }) => sum + concurrency, 0),
  );

/** Creates the function with which dry runs say what chunks do. `sharing`: chooses the workers that share a job. */
export const chunkForecast =
  (sharing: (live: readonly ChunkWorker[]) => readonly SharingWorker[]): ChunkForecast =>
  async (wanted, length, running, live) => {
    const workers = sharing(live);
    const lengths = wanted === undefined ? autoLengths(workers, running)(length) : { seconds: wanted };
    if (isWhole(lengths)) return lengths;
    const slots = slotsInAll(workers, running);
    return {
      shared: `${workers.length} workers with ${slots} slots share the input, in chunks of about ${Math.round(lengths.seconds)} s.`,
      workers: Math.min(workers.length, slots),
    };
  };
