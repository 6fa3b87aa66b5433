import type { Failure } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Scratch, ScratchSpace } from '../ports.ts';
import { scratchLimitFailure } from './size-limits.ts';

/**
 * Keeps running conversions from filling the disk: one that has written more than it may is told to end, and below the
 * reserve the one that takes most.
 */
export interface SpaceWatch {
  /**
   * Aborts `signal`, with the `Failure` as its reason, when this conversion is to end. `end` is to be called once it has.
   */
  watch(scratch: Scratch, policy: Policy): { readonly signal: AbortSignal; end(): void };
}

/** A disk takes a gigabyte a second or two: that is what the reserve has to hold until the next look. */
const LOOK_EVERY_MS = 250;
const BYTES_A_MS = 2 ** 31 / 1000;
/** Nor does ffmpeg make more small files. */
const FILES_A_MS = 5;

/** What a conversion has written is counted when it could be too much, at most so long after it was counted last. */
const LONGEST_WAIT_MS = 10_000;
/** Times as long as counting took, so that it takes little of the machine; with thousands of files it takes 100 ms. */
const COUNT_SHARE = 20;

/** What a conversion that was ended leaves takes a moment to be removed; until then no other is ended. */
const REMOVAL_MS = 1000;

export const LOW_DISK_SPACE: Failure = {
  code: 'NO_SPACE',
  message: 'There is not enough free disk space to convert.',
  fix: hint`Free some space, or ask the operator to; then ${RETRY_JOB}.`,
};

interface Watched {
  readonly scratch: Scratch;
  readonly policy: Policy;
  readonly stop: AbortController;
  /** When it is counted next, of the clock that `performance.now` tells. */
  countAt: number;
}

/** A disk that does not answer is for those to tell who write to it. */
const NOTHING = { bytes: 0, files: 0 };

/** One for all conversions of a process. */
export function createSpaceWatch(
  media: Pick<ScratchSpace, 'freeBytes' | 'scratchUsage'>,
  minFreeBytes: number,
): SpaceWatch {
  const running = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  /** Apart from the look at the reserve, which is not to wait for it. */
  const count = async (watched: Watched): Promise<void> => {
    const { scratch, policy, stop } = watched;
    const began = performance.now();
    watched.countAt = Number.POSITIVE_INFINITY;
    const used = await media.scratchUsage(scratch).catch(() => NOTHING);
    const failure = scratchLimitFailure(used, policy);
    if (failure !== undefined) stop.abort(failure);
    const now = performance.now();
    const bytes = (policy.scratch ?? Number.POSITIVE_INFINITY) - used.bytes;
    const files = (policy.files ?? Number.POSITIVE_INFINITY) - used.files;
    const possible = Math.min(bytes / BYTES_A_MS, files / FILES_A_MS, LONGEST_WAIT_MS);
    watched.countAt = now + Math.max(possible, (now - began) * COUNT_SHARE);
  };
  const endLargest = async (): Promise<void> => {
    const sizes = await Promise.all(
      [...running].map(async ({ scratch, stop }) => ({ stop, bytes: (await media.scratchUsage(scratch)).bytes })),
    );
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    largest?.stop.abort(LOW_DISK_SPACE);
  };
  const keepReserve = async (): Promise<void> => {
    if ([...running].some(({ stop }) => stop.signal.aborted)) endedAt = performance.now();
    if (performance.now() - endedAt < REMOVAL_MS) return;
    if ((await media.freeBytes()) < minFreeBytes) await endLargest();
  };
  const look = async (): Promise<void> => {
    for (const watched of running) if (watched.countAt <= performance.now()) void count(watched);
    if (looking) return;
    looking = true;
    try {
      await keepReserve();
    } catch {
      // As NOTHING.
    } finally {
      looking = false;
    }
  };

  return {
    watch: (scratch, policy) => {
      const watched: Watched = { scratch, policy, stop: new AbortController(), countAt: 0 };
      running.add(watched);
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS);
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
