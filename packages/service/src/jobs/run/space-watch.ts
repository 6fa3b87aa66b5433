import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { Scratch, ScratchSpace, ScratchUsage } from '../ports/media-store.ts';
import { scratchLimitFailure } from './attempt-failures.ts';

export type SpaceWatch = ReturnType<typeof createSpaceWatch>;

export type WatchedConversion = ReturnType<SpaceWatch['watch']>;

/** A disk writes one or two gigabytes per second. The writes between two checks must fit into the reserve. */
const CHECK_INTERVAL_MS = 250;
const MAX_BYTES_PER_MS = 2 ** 31 / 1000;
/** ffmpeg creates small files no faster than this. */
const MAX_FILES_PER_MS = 5;

/** A conversion that takes less time than this is not counted while it runs, unless it could exceed a limit before. */
const FIRST_COUNT_MS = 1000;

/** The longest interval between two counts. Counts come earlier if a limit could be exceeded. */
const MAX_COUNT_INTERVAL_MS = 10_000;
/**
 * The pause after a count, in multiples of its duration, which limits the load: thousands of files take 100 ms.
 * `MAX_COUNT_INTERVAL_MS` bounds it, because a count may take seconds on a busy machine.
 */
const PAUSE_PER_COUNT = 20;

/** With less free space, and less than the reserve, the disk counts as full: it may become so between two checks. */
const FULL_BYTES = 2 ** 20;

/** How long no other conversion is stopped after one was stopped, because removing its files takes a moment. */
const REMOVAL_MS = 1000;

export const LOW_DISK_SPACE: Failure = {
  code: 'NO_SPACE',
  message: 'There is not enough free disk space to convert.',
  fix: hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
};

interface Watched {
  readonly scratch: Scratch;
  readonly policy: ClientLimits;
  readonly freeBefore: number;
  readonly stop: AbortController;
  deletedBytes: () => Promise<number>;
  /** The highest number of bytes that was counted, because deleted files disappear when ffmpeg ends. */
  mostBytes: number;
  /** Whether the disk was full at a check. */
  hasMetFullDisk: boolean;
  /** The time of the next count of its files, on the clock of `performance.now`. */
  nextCountAt: number;
}

/** The failure of a conversion that cannot be measured: it may have written any amount. */
const unmeasured = (error: unknown): Failure =>
  error instanceof JobFailed
    ? error.failure
    : { code: 'STORAGE_FAULT', message: 'The files that the conversion wrote cannot be measured.' };

/** Whether conversions that wrote `written` bytes explain the loss of `lost` bytes. */
const isMostOf = (lost: number, written: number): boolean => written * 2 >= lost;

/** The milliseconds in which a conversion that has written `used` could exceed a limit. */
function soonestExcess(used: ScratchUsage, { scratch, files }: ClientLimits): number {
  const bytesLeft = (scratch ?? Number.POSITIVE_INFINITY) - used.bytes;
  const filesLeft = (files ?? Number.POSITIVE_INFINITY) - used.files;
  return Math.min(bytesLeft / MAX_BYTES_PER_MS, filesLeft / MAX_FILES_PER_MS);
}

/**
 * Keeps conversions from filling the disk. Stops a conversion that exceeds its limits. With less free space than the
 * reserve (`minFreeBytes`), stops the largest conversion; if other programs wrote most, only below half of the reserve.
 */
export function createSpaceWatch(media: Pick<ScratchSpace, 'freeBytes' | 'scratchUsage'>, minFreeBytes: number) {
  const isFull = (free: number): boolean => free < Math.min(FULL_BYTES, minFreeBytes);
  const running = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let checking = false;
  let stoppedAt = Number.NEGATIVE_INFINITY;

  /** Measures the files of a conversion. If that fails, stops this conversion and resolves to undefined. */
  const measure = async (watched: Watched): Promise<ScratchUsage | undefined> => {
    try {
      const { bytes, files } = await media.scratchUsage(watched.scratch);
      // In this order, a file that is deleted in between counts twice instead of not at all.
      const used = { bytes: bytes + (await watched.deletedBytes()), files };
      watched.mostBytes = Math.max(watched.mostBytes, used.bytes);
      return used;
    } catch (error) {
      watched.stop.abort(unmeasured(error));
      return undefined;
    }
  };

  /** Callers do not await this, because the check of the free disk space must not wait for it. */
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
  /** Stops one conversion. If one cannot be measured, it is that one, which may be the largest. */
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
      // Unreadable free space is not caused by a conversion. A conversion that cannot write reports it.
    } finally {
      checking = false;
    }
  };

  return {
    /** `freeBefore`: the free bytes before the conversion wrote anything. */
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
        /** Aborts with a `Failure` as its reason when this conversion has to stop. */
        signal,
        /** Registers the function that counts deleted files which ffmpeg has open; see `ConversionTask.onCountable`. */
        countDeletedFiles: (deletedBytes: () => Promise<number>): void => {
          watched.deletedBytes = deletedBytes;
        },
        /** Whether this conversion alone filled the disk: it wrote more than the reserve and most of the lost space. True if unknown. */
        hasFilledDisk: async (): Promise<boolean> => {
          try {
            const { bytes } = await media.scratchUsage(scratch);
            const written = Math.max(bytes, watched.mostBytes);
            return written >= minFreeBytes && isMostOf(freeBefore - (await media.freeBytes()), written);
          } catch {
            return true;
          }
        },
        /** Whether the disk was or is full. ffmpeg may have lost data: its HLS muxer, for example, reports no failed write. */
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
