import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';

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

/** How many chunks `"auto"` makes for each slot, so that a slow worker holds up the end of the job by little. */
const PER_SLOT = 4;

/**
 * Returns how long chunks of an input should be. `"auto"`: only if several workers can share a long input. `running`:
 * how many jobs and chunks of the client may run at the same time.
 */
export async function chunkLength(
  chunks: Exclude<NonNullable<ConversionRequest['chunks']>, 'off'>,
  { slotsOfWorkers }: Pick<ChunkWorkers, 'slotsOfWorkers'>,
  running = Number.POSITIVE_INFINITY,
): Promise<(length: number) => number | undefined> {
  if (chunks !== 'auto') return () => chunks.seconds;
  const workers = await slotsOfWorkers();
  const slots = Math.min(
    running,
    workers.reduce((sum, one) => sum + one, 0),
  );
  return (length) =>
    workers.length < 2 || slots < 2 || length < MIN_LENGTH
      ? undefined
      : Math.min(LONGEST, Math.max(SHORTEST, length / (slots * PER_SLOT)));
}
