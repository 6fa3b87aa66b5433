import type { Span } from '@telecine/contract/domain/plan.ts';

/** Matches demuxers of still images. They report the duration of one frame. */
export const STILL = /^(?:image2|[a-z0-9]+_pipe)$/;

/** Returns the requested length in seconds. If both `t` and `to` are set, ffmpeg uses `t`. */
export function requestedSeconds({ start = 0, duration, end }: Span['output']): number | undefined {
  return duration ?? (end === undefined ? undefined : Math.max(0, end - start));
}

/** Returns how many of the `available` seconds remain after `cut`. Infinity: neither has an end. */
export const secondsAfterCut = (available: number, cut: Span['output']): number =>
  Math.max(0, Math.min(available - Math.max(0, cut.start ?? 0), requestedSeconds(cut) ?? Number.POSITIVE_INFINITY));
