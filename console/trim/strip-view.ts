/** The part of a source that the strip shows, in seconds. */
export interface StripView {
  readonly from: number;
  readonly length: number;
}

/** How much less one zoom shows. */
const FACTOR = 4;

/** The shortest view. On a phone, a frame is then about as wide as ten pixels. */
const SHORTEST = 1;

const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

/** A view of `length` seconds around a time, within the source. */
const around = (at: number, length: number, duration: number): StripView => ({
  from: clamp(at - length / 2, 0, duration - length),
  length,
});

export const wholeView = (duration: number): StripView => ({ from: 0, length: duration });

/** A closer view around a time. */
export const zoomedIn = ({ length }: StripView, at: number, duration: number): StripView =>
  around(at, Math.min(duration, Math.max(SHORTEST, length / FACTOR)), duration);

/** A wider view around a time, up to all of the source. */
export const zoomedOut = ({ length }: StripView, at: number, duration: number): StripView =>
  around(at, Math.min(duration, length * FACTOR), duration);

export const isInView = ({ from, length }: StripView, at: number): boolean => at >= from && at <= from + length;

/** The same view, or one around a time that was not in it. */
export const followedTo = (view: StripView, at: number, duration: number): StripView =>
  isInView(view, at) ? view : around(at, view.length, duration);

/** Where a time is in a view, from 0 to 1. Times before and after it are at its ends. */
export const shareOf = ({ from, length }: StripView, at: number): number => clamp((at - from) / length, 0, 1);

/** The time at a share of a view. Beside the view, the time at its end. */
export const timeAt = ({ from, length }: StripView, share: number): number => from + clamp(share, 0, 1) * length;

/** The times in the middle of `count` equal parts of a view. */
export const middlesOf = ({ from, length }: StripView, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + ((index + 0.5) / count) * length);
