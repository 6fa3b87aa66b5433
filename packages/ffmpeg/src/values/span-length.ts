import type { Span } from '@telecine/contract/domain/plan.ts';

/** Returns the requested length in seconds. undefined: no end is requested. ffmpeg ignores `to` if `t` is set. */
export function requestedSeconds({ start = 0, duration, end }: Span['output']): number | undefined {
  return duration ?? (end === undefined ? undefined : Math.max(0, end - start));
}

/** The part of `available` seconds that remains after `cut`. Infinity: `available` is infinite, and `cut` has no end. */
export const secondsAfterCut = (available: number, cut: Span['output']): number =>
  Math.max(0, Math.min(available - Math.max(0, cut.start ?? 0), requestedSeconds(cut) ?? Number.POSITIVE_INFINITY));
