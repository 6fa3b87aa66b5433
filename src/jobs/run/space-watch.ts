import type { ClientLimits } from '../../domain/client-limits.ts';
import type { Failure } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Scratch, ScratchSpace } from '../ports.ts';
import { scratchLimitFailure } from './size-limits.ts';

/**
 * Keeps running conversions from filling the disk. Stops a conversion that has written more than its limits allow, and,
 * while less than the reserve is free, the conversion that has written most.
 */
export interface SpaceWatch {
  /** Aborts `signal` with a `Failure` as its reason when this conversion has to stop. Call `end` once it has stopped. */
  watch(scratch: Scratch, policy: ClientLimits): { readonly signal: AbortSignal; end(): void };
}

/** A disk writes one or two gigabytes a second. The reserve has to hold what is written until the next check. */
const CHECK_INTERVAL_MS = 250;
const MAX_BYTES_PER_MS = 2 ** 31 / 1000;
/** ffmpeg creates small files no faster than this. */
const MAX_FILES_PER_MS = 5;

/** The files of a conversion are counted when they could exceed a limit, and at least this often. */
const MAX_COUNT_INTERVAL_MS = 10_000;
/** The pause after a count, in multiples of its duration, so that counting takes little of the machine. Counting
 * thousands of files takes 100 ms. */
const PAUSE_PER_COUNT = 20;

/** Removing the files of a stopped conversion takes a moment. Until then no other conversion is stopped. */
const REMOVAL_MS = 1000;

export const LOW_DISK_SPACE: Failure = {
  code: 'NO_SPACE',
  message: 'There is not enough free disk space to convert.',
  fix: hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
};

interface Watched {
  readonly scratch: Scratch;
  readonly policy: ClientLimits;
  readonly stop: AbortController;
  /** When its files are counted next, on the clock of `performance.now`. */
  nextCountAt: number;
}

/** Ignore errors of the disk here; whoever writes to it reports them. */
const NOTHING_WRITTEN = { bytes: 0, files: 0 };

/** One for all conversions of a process. */
export function createSpaceWatch(
  media: Pick<ScratchSpace, 'freeBytes' | 'scratchUsage'>,
  minFreeBytes: number,
): SpaceWatch {
  const running = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let checking = false;
  let stoppedAt = Number.NEGATIVE_INFINITY;

  /** Not awaited: the check of the reserve must not wait for it. */
  const countFiles = async (watched: Watched): Promise<void> => {
    const { scratch, policy, stop } = watched;
    const startedAt = performance.now();
    watched.nextCountAt = Number.POSITIVE_INFINITY;
    const used = await media.scratchUsage(scratch).catch(() => NOTHING_WRITTEN);
    const failure = scratchLimitFailure(used, policy);
    if (failure !== undefined) stop.abort(failure);
    const now = performance.now();
    const bytesLeft = (policy.scratch ?? Number.POSITIVE_INFINITY) - used.bytes;
    const filesLeft = (policy.files ?? Number.POSITIVE_INFINITY) - used.files;
    const soonest = Math.min(bytesLeft / MAX_BYTES_PER_MS, filesLeft / MAX_FILES_PER_MS, MAX_COUNT_INTERVAL_MS);
    watched.nextCountAt = now + Math.max(soonest, (now - startedAt) * PAUSE_PER_COUNT);
  };
  const stopLargest = async (): Promise<void> => {
    const sizes = await Promise.all(
      [...running].map(async ({ scratch, stop }) => ({ stop, bytes: (await media.scratchUsage(scratch)).bytes })),
    );
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    largest?.stop.abort(LOW_DISK_SPACE);
  };
  const keepReserve = async (): Promise<void> => {
    if ([...running].some(({ stop }) => stop.signal.aborted)) stoppedAt = performance.now();
    if (performance.now() - stoppedAt < REMOVAL_MS) return;
    if ((await media.freeBytes()) < minFreeBytes) await stopLargest();
  };
  const check = async (): Promise<void> => {
    for (const watched of running) if (watched.nextCountAt <= performance.now()) void countFiles(watched);
    if (checking) return;
    checking = true;
    try {
      await keepReserve();
    } catch {
      // Whoever writes to the disk reports its errors.
    } finally {
      checking = false;
    }
  };

  return {
    watch: (scratch, policy) => {
      const watched: Watched = { scratch, policy, stop: new AbortController(), nextCountAt: 0 };
      running.add(watched);
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
      return {
        signal: watched.stop.signal,
        end: () => {
          running.delete(watched);
          if (running.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
