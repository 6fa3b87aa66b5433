import type { MediaStore, Scratch } from './ports.ts';

/** Keeps running conversions from filling the disk: below the reserve, the one that takes most is told to end. */
export interface SpaceWatch {
  /** Aborts `signal` when this conversion is to end. `end` is to be called once it has. */
  watch(scratch: Scratch): { readonly signal: AbortSignal; end(): void };
}

/** A disk takes a gigabyte a second or two: that is what the reserve has to hold until the next look. */
const LOOK_EVERY_MS = 250;

/** What a conversion that was ended leaves takes a moment to be removed; until then no other is ended. */
const REMOVAL_MS = 1000;

/** One for all conversions of a process. */
export function spaceWatch(media: Pick<MediaStore, 'freeBytes' | 'usedBytes'>, minFreeBytes: number): SpaceWatch {
  const running = new Map<Scratch, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let endedAt = Number.NEGATIVE_INFINITY;

  const endLargest = async (): Promise<void> => {
    const sizes = await Promise.all(
      [...running].map(async ([scratch, stop]) => ({ stop, bytes: await media.usedBytes(scratch) })),
    );
    const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
    largest?.stop.abort();
  };
  const look = async (): Promise<void> => {
    if ([...running.values()].some((stop) => stop.signal.aborted)) endedAt = performance.now();
    if (looking || performance.now() - endedAt < REMOVAL_MS) return;
    looking = true;
    try {
      if ((await media.freeBytes()) < minFreeBytes) await endLargest();
    } catch {
      // A disk that does not answer is for those to tell who write to it.
    } finally {
      looking = false;
    }
  };

  return {
    watch: (scratch) => {
      const stop = new AbortController();
      running.set(scratch, stop);
      timer ??= setInterval(() => void look(), LOOK_EVERY_MS);
      return {
        signal: stop.signal,
        end: () => {
          running.delete(scratch);
          if (running.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
