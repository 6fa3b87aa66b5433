import { upToMilliseconds } from './trim-time.ts';

/**
 * In formats such as Matroska, ffmpeg seeks by decoding times, and therefore goes up to 3/23 s back before `ss`. So a copy begins at a key
 * frame only if `ss` is this much after it.
 */
const SEARCH_SECONDS = 3 / 23;

/** If key frames follow each other closer than this, the video has no frames that are decoded before others, and ffmpeg searches exactly. */
const CLOSEST = 2 * SEARCH_SECONDS;

/** How much later than a key frame `ss` must be, so that ffmpeg seeks to it, in seconds. */
export function seekDelay(keys: readonly number[], formats: readonly string[]): number {
  const isClose = keys.some((key, at) => at > 0 && key - (keys[at - 1] ?? 0) < CLOSEST);
  return formats.includes('matroska') && !isClose ? SEARCH_SECONDS : 0;
}

/** The values of `ss` with which a copy begins at these key frames. `formats`: the names of the container. */
export function copyStarts(keys: readonly number[], formats: readonly string[]): readonly number[] {
  const later = seekDelay(keys, formats);
  return keys.map((key) => (key <= SAME ? 0 : upToMilliseconds(key + later)));
}

/** Two times closer than this are the same key frame. */
const SAME = 0.002;

/** The index of the key frame at which a copy begins that starts at `at`: the last one that is not after it. -1: it is not known. */
export const startIndex = (starts: readonly number[], at: number): number =>
  starts.findLastIndex((start) => start <= at + SAME);

/** The start at the nearest key frame. undefined: no key frame is known. */
export const snapTime = (starts: readonly number[], at: number): number | undefined =>
  starts.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];

/** The start at the next or the previous key frame. undefined: it is not known. */
export const nextStart = (starts: readonly number[], at: number, direction: -1 | 1): number | undefined =>
  direction === 1 ? starts.find((start) => start > at + SAME) : starts.findLast((start) => start < at - SAME);

/** Whether a copy that starts at `at` begins at a key frame. */
export const isAtKeyFrame = (starts: readonly number[], at: number): boolean =>
  at <= SAME || starts.some((start) => Math.abs(start - at) <= SAME);
