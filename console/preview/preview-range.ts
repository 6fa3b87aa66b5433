import type { Cue } from '../cues/cues.ts';
import type { Range } from '../trim/trim-range.ts';
import type { Part } from './preview-request.ts';

/** The length of a preview, in seconds. */
const SECONDS = 3;
/** The shortest preview, at the end of the part that is converted. */
const SHORTEST = 1;
/** How long after its start a cue is looked at: a frame that begins with it may be drawn without it. */
const AFTER_START = 0.1;

const toMilliseconds = (seconds: number): number => Number(seconds.toFixed(3));

/** The last time at which a preview can begin. */
export const lastStart = ({ start, end }: Range): number => toMilliseconds(Math.max(start, end - SHORTEST));

/** Whether a preview can begin at different times. */
export const isMovable = ({ start, end }: Range): boolean => end - start > SECONDS;

/** Where a preview begins if nobody chooses: in the middle, because the start of a video is often black. */
export const middleOf = ({ start, end }: Range): number =>
  toMilliseconds(start + Math.round(Math.max(0, end - SECONDS - start) / 2));

/** Before this time, a video is often black, in seconds. */
const BLACK_UNTIL = 1;

/** Whether a preview of a part can begin at a key frame that is not the first one of the source. */
export const hasPlaceForKeyFrame = (range: Range): boolean => lastStart(range) >= BLACK_UNTIL;

/** The one of `times` nearest to a time, within a part and not at the start of the source. If there is none, the time. */
export const nearestTo = (at: number, times: readonly number[], range: Range): number =>
  times
    .filter((time) => time >= Math.max(range.start, BLACK_UNTIL) && time <= lastStart(range))
    .toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0] ?? at;

/**
 * The part of the source that a preview from a time converts. It does not go beyond the end of the part that is converted.
 *
 * @param duration The length of the source. 0: not known.
 */
export function partFrom(at: number, range: Range, duration: number): Part {
  const from = Math.max(range.start, Math.min(at, lastStart(range)));
  // Nothing is beyond the end of the source, and its stated length may be a little short.
  const isToEnd = range.end >= duration;
  return { at: from, seconds: isToEnd ? SECONDS : toMilliseconds(Math.min(SECONDS, range.end - from)) };
}

/** Where words can be seen: within the part that is converted, and at any time of a source of unknown length. `duration`: see `partFrom`. */
export const rangeOfWords = (range: Range, duration: number): Range =>
  duration > 0 ? range : { start: range.start, end: Number.POSITIVE_INFINITY };

/** The time of the source at which a cue is seen, within a part. `offset`: see `Subtitles`. undefined: it is not shown in that part. */
export function timeOfCue({ start, end }: Cue, offset: number, range: Range): number | undefined {
  if (start + offset >= range.end || end + offset <= range.start || end <= start) return undefined;
  const seen = start + offset + Math.min(AFTER_START, (end - start) / 2);
  return toMilliseconds(Math.max(range.start, seen));
}

/** How long before a cue its preview begins, so that it is seen to appear. */
const BEFORE_CUE = 0.5;

/** The time of the source at which the preview of a cue begins, within a part. undefined: see `timeOfCue`. */
export const startOfCue = (cue: Cue, offset: number, range: Range): number | undefined =>
  timeOfCue(cue, offset, range) === undefined
    ? undefined
    : toMilliseconds(Math.max(range.start, cue.start + offset - BEFORE_CUE));

/** The time of the source at which the first words within a part are seen. undefined: there are none. */
export function timeOfFirstCue(cues: readonly Cue[], offset: number, range: Range): number | undefined {
  const times = cues.flatMap((cue) => (cue.text === '' ? [] : (timeOfCue(cue, offset, range) ?? [])));
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b));
}
