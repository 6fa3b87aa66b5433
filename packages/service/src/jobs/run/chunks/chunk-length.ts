import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { chunkShare, type SharingWorkers, whyNotInChunks } from '@telecine/ffmpeg/estimate/chunk-gain.ts';
import { CORES } from '@telecine/ffmpeg/sandbox/limits.ts';
import { machinesOf } from '../../../workers/machines.ts';
import type { ChunkWorker } from '../../../workers/worker-operations.ts';
import { type ChunkForecast, type ChunkLengths, isWhole, type LengthsOf } from '../../ports/chunk-maker.ts';

export interface ChunkWorkers {
  /** What the tickets of chunks need: the same build of ffmpeg. Empty if there is only this worker. */
  readonly needs: Requirements['needs'];
  /** Returns the live workers with the same build of ffmpeg. */
  readonly sharingWorkers: () => Promise<readonly SharingWorker[]>;
}

/** A worker that encodes chunks, as far as it decides how long they are. */
type SharingWorker = Pick<ChunkWorker, 'concurrency' | 'processors' | 'machine'>;

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
 * Returns how long chunks of an input should be. `"auto"`: only if several workers can share a long input, and
 * take clearly less time than one. `running`: how many jobs and chunks of the client may run at the same time.
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
  return (length, work) => {
    if (workers.length < 2) return { whole: 'Only one worker can convert the input.' };
    if (slots < 2) return { whole: 'The client may run one job at a time.' };
    if (length < MIN_LENGTH)
      return { whole: `The input has ${Math.floor(length)} s. With "auto", chunks need at least ${MIN_LENGTH} s.` };
    const seconds = Math.min(LONGEST, Math.max(SHORTEST, length / (slots * PER_SLOT)));
    const span = Math.min(slots * seconds, length / 2);
    const lengths = { seconds, end: { span, seconds: Math.max(SHORTEST_AT_END, seconds / CHUNKS_OF_LAST) } };
    const reason = work && whyNotInChunks(work, sharedBy(workers, slots), countChunks(length, lengths));
    return reason === undefined ? lengths : { whole: reason };
  };
}

/** Returns about how many chunks an input of this length has. */
const countChunks = (length: number, { seconds, end }: ChunkLengths): number =>
  Math.ceil(end === undefined ? length / seconds : (length - end.span) / seconds + end.span / end.seconds);

const slotsInAll = (workers: readonly SharingWorker[], running = Number.POSITIVE_INFINITY): number =>
  Math.min(
    running,
    workers.reduce((sum, { concurrency }) => sum + concurrency, 0),
  );

/** Returns the workers for the estimate. Their cores count, because the process that asks may run on another kind of machine. */
const sharedBy = (workers: readonly SharingWorker[], slots: number): SharingWorkers => ({
  machines: machinesOf(workers.length === 0 ? [{ processors: CORES }] : workers),
  slots: Math.max(1, slots),
});

/** Creates the function with which dry runs say what chunks do. `sharing`: chooses the workers that share a job. */
export const chunkForecast =
  (sharing: (live: readonly ChunkWorker[]) => readonly SharingWorker[]): ChunkForecast =>
  async (wanted, length, running, work, live) => {
    const workers = sharing(live);
    const lengths = wanted === undefined ? autoLengths(workers, running)(length, work) : { seconds: wanted };
    if (isWhole(lengths)) return lengths;
    const slots = slotsInAll(workers, running);
    return {
      shared: `${workers.length} workers with ${slots} slots share the input, in chunks of about ${Math.round(lengths.seconds)} s.`,
      ...(work && { share: chunkShare(work, sharedBy(workers, slots), countChunks(length, lengths)) }),
    };
  };
