import type { Range } from './trim-range.ts';

/** What is measured to find the scene at a time. */
export interface SceneSearch {
  readonly from: number;
  readonly to: number;
}

/** In a longer source, in seconds, the search looks at the time around the position only. */
const WHOLE = 600;
/** How far the search then looks in each direction, in seconds. */
const NEAR = 120;

/** The part of a source in which the scene at a time is searched. Times nearer to each other than a minute have the same one. */
export function searchAround(at: number, duration: number): SceneSearch {
  if (duration <= WHOLE) return { from: 0, to: duration };
  const near = Math.round(at / 60) * 60;
  return { from: Math.max(0, near - NEAR), to: Math.min(duration, near + NEAR) };
}

/**
 * The scene at a time: from the change of the picture before it to the one after it, or to the start or the end of the source. undefined: a
 * change is not in the part that was searched, or there is none at all.
 *
 * @param changes The times of the first frames of scenes, in order.
 * @param tolerance The time by which `at` may miss a frame.
 */
export function sceneAt(
  changes: readonly number[],
  at: number,
  {
    search,
    duration,
    tolerance,
  }: { readonly search: SceneSearch; readonly duration: number; readonly tolerance: number },
): Range | undefined {
  if (changes.length === 0) return undefined;
  const start = changes.findLast((change) => change <= at + tolerance) ?? (search.from <= 0 ? 0 : undefined);
  const end = changes.find((change) => change > at + tolerance) ?? (search.to >= duration ? duration : undefined);
  return start === undefined || end === undefined ? undefined : { start, end };
}
