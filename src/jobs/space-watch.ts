import type { Failure } from '../domain/failure.ts';
import { wroteTooMuch } from './limits.ts';
import type { MediaStore, Scratch } from './ports.ts';

/**
 * Keeps running conversions from filling the disk: one that has written more than it may is told to end, and below the
 * reserve the one that takes most.
 */
export interface SpaceWatch {
  /**
   * Aborts `signal`, with the `Failure` as its reason, when this conversion is to end. `end` is to be called once it has.
   *
   * @param most Bytes that it may write; undefined: as much as there is.
   */
  watch(scratch: Scratch, most?: number): { readonly signal: AbortSignal; end(): void };
}

/** A disk takes a gigabyte a second or two: that is what the reserve has to hold until the next look. */
const LOOK_EVERY_MS = 250;
const BYTES_A_MS = 2 ** 31 / 1000;

/** Counting the files of a conversion can take milliseconds, so it waits until they could be too large; at most so long. */
const LONGEST_WAIT_MS = 10_000;

/** What a conversion that was ended leaves takes a moment to be removed; until then no other is ended. */
const REMOVAL_MS = 1000;

export const noSpace: Failure = {
  code: 'NO_SPACE',
  message: 'There is not enough free disk space to convert.',
  fix: 'Free some space, or ask the operator to; then retry the job.',
};

interface Watched {
  readonly scratch: Scratch;
  readonly most: number | undefined;
  readonly stop: AbortController;
  /** When it is counted next, of the clock that `performance.now` tells. */
  countAt: number;
}

/** One for all conversions of a process. */
export function spaceWatch(media: Pick<MediaStore, 'freeBytes' | 'usedBytes'>, minFreeBytes: number): SpaceWatch {
  const running = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  const count = async (watched: Watched): Promise<void> => {
    const { scratch, most, stop } = watched;
    if (most === undefined || performance.now() < watched.countAt) return;
    const left = most - (await media.usedBytes(scratch));
    if (left < 0) stop.abort(wroteTooMuch(most));
    watched.countAt = performance.now() + Math.min(left / BYTES_A_MS, LONGEST_WAIT_MS);
  };
  const endLargest = async (): Promise<void> => {
    const sizes = await Promise.all(
      [...running].map(async ({ scratch, stop }) => ({ stop, bytes: await media.usedBytes(scratch) })),
    );
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    largest?.stop.abort(noSpace);
  };
  const keepReserve = async (): Promise<void> => {
    if ([...running].some(({ stop }) => stop.signal.aborted)) endedAt = performance.now();
    if (performance.now() - endedAt < REMOVAL_MS) return;
    if ((await media.freeBytes()) < minFreeBytes) await endLargest();
  };
  const look = async (): Promise<void> => {
    if (looking) return;
    looking = true;
    try {
      await Promise.all([...running].map(count));
      await keepReserve();
    } catch {
      // A disk that does not answer is for those to tell who write to it.
    } finally {
      looking = false;
    }
  };

  return {
    watch: (scratch, most) => {
      const watched: Watched = { scratch, most, stop: new AbortController(), countAt: 0 };
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
