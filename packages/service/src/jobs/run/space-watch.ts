import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Scratch, ScratchSpace, ScratchUsage } from '../ports/media-store.ts';
import { scratchLimitFailure } from './attempt-failures.ts';

export type SpaceWatch = ReturnType<typeof createSpaceWatch>;

export type WatchedConversion = ReturnType<SpaceWatch['watch']>;

/**
 * How often the free disk space is checked, in ms. A disk writes 1 to 2 GB per second, and the bytes written between
 * two checks must fit into the reserve.
 */
const CHECK_INTERVAL_MS = 250;
const MAX_BYTES_PER_MS = 2 ** 31 / 1000;
/** The maximum rate at which ffmpeg creates small files. */
const MAX_FILES_PER_MS = 5;

/**
 * When the files of a conversion are counted for the first time, in ms after its start. They are counted earlier if the
 * conversion could exceed a limit by then.
 */
const FIRST_COUNT_MS = 1000;

/** The maximum interval between two counts of the files. The next count comes earlier if a limit could be exceeded. */
const MAX_COUNT_INTERVAL_MS = 10_000;
/**
 * The minimum pause after a count, as a multiple of the duration of the count, because counting thousands of files
 * takes 100 ms. The pause is at most `MAX_COUNT_INTERVAL_MS`, because a count on a busy machine may take seconds.
 */
const PAUSE_PER_COUNT = 20;

/**
 * The disk counts as full if less than this, and less than the reserve, is free: it may become full before the next
 * check.
 */
const FULL_BYTES = 2 ** 20;

/**
 * After a conversion was stopped, how long no other conversion is stopped: the space becomes free only when the files
 * of the stopped conversion are removed.
 */
const REMOVAL_MS = 1000;

export const LOW_DISK_SPACE: Failure = {
  code: 'NO_SPACE',
  message: 'The disk has less free space than the service keeps free, so the conversion did not start or was stopped.',
  fix: hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
};

interface Watched {
  readonly scratch: Scratch;
  readonly policy: ClientLimits;
  readonly freeBefore: number;
  readonly stop: AbortController;
  deletedBytes: () => Promise<number>;
  /**
   * The highest number of bytes that was measured. After ffmpeg has ended, files that it deleted can no longer be
   * measured.
   */
  mostBytes: number;
  /** true: the disk was full at a check while this conversion ran. */
  hasMetFullDisk: boolean;
  /** The time of the next count of the files of this conversion, on the clock of `performance.now`. */
  nextCountAt: number;
}

/** The failure of a conversion whose files cannot be measured. It is stopped: it may have written any amount. */
const unmeasured = (error: unknown): Failure =>
  error instanceof JobFailed
    ? error.failure
    : {
        code: 'STORAGE_FAULT',
        message: 'The size of the files that the conversion wrote cannot be read, so the conversion was stopped.',
      };

/**
 * Returns whether conversions that wrote `written` bytes explain a loss of `lost` free bytes: they wrote at least half
 * of it.
 */
const isMostOf = (lost: number, written: number): boolean => written * 2 >= lost;

/** Returns in how many ms a conversion that writes at the highest rate exceeds a limit. `used`: its usage so far. */
function soonestExcess(used: ScratchUsage, { scratch, files }: ClientLimits): number {
  const bytesLeft = (scratch ?? Number.POSITIVE_INFINITY) - used.bytes;
  const filesLeft = (files ?? Number.POSITIVE_INFINITY) - used.files;
  return Math.min(bytesLeft / MAX_BYTES_PER_MS, filesLeft / MAX_FILES_PER_MS);
}

/**
 * Prevents conversions from filling the disk. Stops a conversion that exceeds its limits. If less space is free than
 * the reserve (`minFreeBytes`), stops the largest conversion. But if other programs wrote most of the lost space, stops
 * it only when less than half of the reserve is free.
 */
export function createSpaceWatch(media: Pick<ScratchSpace, 'freeBytes' | 'scratchUsage'>, minFreeBytes: number) {
  const isFull = (free: number): boolean => free < Math.min(FULL_BYTES, minFreeBytes);
  const running = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let checking = false;
  let stoppedAt = Number.NEGATIVE_INFINITY;

  /** Measures the files of a conversion. If that fails, stops the conversion and resolves to undefined. */
  const measure = async (watched: Watched): Promise<ScratchUsage | undefined> => {
    try {
      const { bytes, files } = await media.scratchUsage(watched.scratch);
      // Measure the folder before the deleted files. A file that is deleted in between then counts twice, instead of
      // not at all.
      const used = { bytes: bytes + (await watched.deletedBytes()), files };
      watched.mostBytes = Math.max(watched.mostBytes, used.bytes);
      return used;
    } catch (error) {
      watched.stop.abort(unmeasured(error));
      return undefined;
    }
  };

  /** Counts the files of a conversion. Not awaited, because the checks of the free disk space must go on meanwhile. */
  const countFiles = async (watched: Watched): Promise<void> => {
    const { policy, stop } = watched;
    const startedAt = performance.now();
    watched.nextCountAt = Number.POSITIVE_INFINITY;
    const used = await measure(watched);
    if (used === undefined) return;
    const failure = scratchLimitFailure(used, policy);
    if (failure !== undefined) stop.abort(failure);
    const now = performance.now();
    const pause = Math.max(soonestExcess(used, policy), (now - startedAt) * PAUSE_PER_COUNT);
    watched.nextCountAt = now + Math.min(pause, MAX_COUNT_INTERVAL_MS);
  };
  /**
   * Stops the largest conversion. If the files of some conversions cannot be measured, only these are stopped (by
   * `measure`): one of them may be the largest.
   */
  const stopLargest = async (free: number): Promise<void> => {
    const used = await Promise.all([...running].map(async (watched) => ({ watched, usage: await measure(watched) })));
    const sizes = used.flatMap(({ watched, usage }) => (usage === undefined ? [] : [{ watched, bytes: usage.bytes }]));
    if (sizes.length < used.length) return;
    const written = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    const lost = Math.max(...sizes.map(({ watched }) => watched.freeBefore)) - free;
    if (!isMostOf(lost, written) && free >= minFreeBytes / 2) return;
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    largest?.watched.stop.abort(LOW_DISK_SPACE);
  };
  const keepReserve = async (): Promise<void> => {
    const free = await media.freeBytes();
    if (isFull(free)) for (const watched of running) watched.hasMetFullDisk = true;
    if ([...running].some(({ stop }) => stop.signal.aborted)) stoppedAt = performance.now();
    if (performance.now() - stoppedAt < REMOVAL_MS) return;
    if (free < minFreeBytes) await stopLargest(free);
  };
  const check = async (): Promise<void> => {
    for (const watched of running) if (watched.nextCountAt <= performance.now()) void countFiles(watched);
    if (checking) return;
    checking = true;
    try {
      await keepReserve();
    } catch {
      // If the free space cannot be read, stop no conversion: a conversion that cannot write fails by itself.
    } finally {
      checking = false;
    }
  };

  return {
    /** Starts to watch a conversion. `freeBefore`: the free disk space, in bytes, before it wrote anything. */
    watch: (scratch: Scratch, policy: ClientLimits, freeBefore: number) => {
      const firstCountMs = Math.min(soonestExcess({ bytes: 0, files: 0 }, policy), FIRST_COUNT_MS);
      const stop = new AbortController();
      const signal: AbortSignal = stop.signal;
      const watched: Watched = {
        ...{ scratch, policy, freeBefore, stop },
        nextCountAt: performance.now() + firstCountMs,
        ...{ deletedBytes: async () => 0, mostBytes: 0, hasMetFullDisk: false },
      };
      running.add(watched);
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
      return {
        /** Aborted when the conversion has to stop. The reason is a `Failure`. */
        signal,
        /**
         * Registers the function that measures files which ffmpeg has deleted and still holds open. See
         * `ConversionTask.onCountable`.
         */
        countDeletedFiles: (deletedBytes: () => Promise<number>): void => {
          watched.deletedBytes = deletedBytes;
        },
        /**
         * Returns whether this conversion alone filled the disk: it wrote more than the reserve and most of the lost
         * space. Also returns true if its files cannot be measured.
         */
        hasFilledDisk: async (): Promise<boolean> => {
          try {
            const { bytes } = await media.scratchUsage(scratch);
            const written = Math.max(bytes, watched.mostBytes);
            return written >= minFreeBytes && isMostOf(freeBefore - (await media.freeBytes()), written);
          } catch {
            return true;
          }
        },
        /**
         * Returns whether the disk was full during the conversion or is full now. Then the output may lack data
         * although ffmpeg reported no error: its HLS muxer, for example, does not report a failed write.
         */
        hasMetFullDisk: async (): Promise<boolean> =>
          watched.hasMetFullDisk || isFull(await media.freeBytes().catch(() => Number.POSITIVE_INFINITY)),
        end: (): void => {
          running.delete(watched);
          if (running.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
