import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { type AutoChunks, isWhole, type LengthsOf } from '../../ports/chunk-maker.ts';

export interface ChunkWorkers {
  /** What the tickets of chunks need: the same build of ffmpeg. Empty if there is only this worker. */
  readonly needs: Requirements['needs'];
  /** Returns the slots of each live worker with the same build of ffmpeg. */
  readonly slotsOfWorkers: () => Promise<readonly number[]>;
}

/** A shorter input is encoded whole with `"chunks": "auto"`: its chunks would cost more than they save. In seconds. */
const MIN_LENGTH = 120;

/** The shortest and the longest chunk that `"auto"` chooses, in seconds. */
const [SHORTEST, LONGEST] = [10, 60];

/** How many long chunks `"auto"` makes for each slot. The last of them is cut further. */
const PER_SLOT = 4;

/** Into how many chunks the last one of each slot is cut, so that all slots end at about the same time. */
const CHUNKS_OF_LAST = 4;

/** The shortest of these, in seconds. */
const SHORTEST_AT_END = 3;

/**
 * Returns how long chunks of an input should be. `"auto"`: only if several workers can share a long input. `running`:
 * how many jobs and chunks of the client may run at the same time.
 */
export async function chunkLengths(
  chunks: Exclude<NonNullable<ConversionRequest['chunks']>, 'off'>,
  { slotsOfWorkers }: Pick<ChunkWorkers, 'slotsOfWorkers'>,
  running?: number,
): Promise<LengthsOf> {
  return chunks === 'auto' ? autoLengths(await slotsOfWorkers(), running) : () => chunks;
}

function autoLengths(workers: readonly number[], running: number | undefined): LengthsOf {
  const slots = slotsInAll(workers, running);
  return (length) => {
    if (workers.length < 2) return { whole: 'Only one worker can convert the input.' };
    if (slots < 2) return { whole: 'The client may run one job at a time.' };
    if (length < MIN_LENGTH)
      return { whole: `The input has ${Math.floor(length)} s. With "auto", chunks need at least ${MIN_LENGTH} s.` };
    const seconds = Math.min(LONGEST, Math.max(SHORTEST, length / (slots * PER_SLOT)));
    const span = Math.min(slots * seconds, length / 2);
    return { seconds, end: { span, seconds: Math.max(SHORTEST_AT_END, seconds / CHUNKS_OF_LAST) } };
  };
}

const slotsInAll = (workers: readonly number[], running = Number.POSITIVE_INFINITY): number =>
  Math.min(
    running,
    workers.reduce((sum, one) => sum + one, 0),
  );

/** Creates the function with which dry runs say what `"auto"` does. */
export const autoChunks =
  ({ slotsOfWorkers }: Pick<ChunkWorkers, 'slotsOfWorkers'>): AutoChunks =>
  async (length, running) => {
    const workers = await slotsOfWorkers();
    const lengths = autoLengths(workers, running)(length);
    if (isWhole(lengths)) return lengths;
    const slots = slotsInAll(workers, running);
    return {
      shared: `${workers.length} workers with ${slots} slots share the input, in chunks of about ${Math.round(lengths.seconds)} s.`,
    };
  };
