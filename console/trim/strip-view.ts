import { clamp } from './trim-range.ts';

/** The part of a source that the strip shows, in seconds. */
export interface StripView {
  readonly from: number;
  readonly length: number;
}

/** Each zoom in divides the length of the view by this number. */
const FACTOR = 4;

/** The minimum length of a view in seconds. On a phone, a frame then has a width of about ten pixels. */
const SHORTEST = 1;

/** Returns the view of `length` seconds whose middle is `at`, moved into the source where it would exceed it. */
const around = (at: number, length: number, duration: number): StripView => ({
  from: clamp(at - length / 2, 0, duration - length),
  length,
});

export const wholeView = (duration: number): StripView => ({ from: 0, length: duration });

/** Returns the view after one zoom in. Its middle is `at`, if the source allows. */
export const zoomedIn = ({ length }: StripView, at: number, duration: number): StripView =>
  around(at, Math.min(duration, Math.max(SHORTEST, length / FACTOR)), duration);

/** Returns the view after one zoom out, at most all of the source. Its middle is `at`, if the source allows. */
export const zoomedOut = ({ length }: StripView, at: number, duration: number): StripView =>
  around(at, Math.min(duration, length * FACTOR), duration);

export const isInView = ({ from, length }: StripView, at: number): boolean => at >= from && at <= from + length;

/** Returns `view` if it contains `at`. Otherwise returns a view of the same length whose middle is `at`. */
export const followedTo = (view: StripView, at: number, duration: number): StripView =>
  isInView(view, at) ? view : around(at, view.length, duration);

/** Returns the view moved by some seconds, within the source. */
export const movedBy = ({ from, length }: StripView, seconds: number, duration: number): StripView => ({
  from: clamp(from + seconds, 0, duration - length),
  length,
});

/** Returns the position of a time in the view, from 0 (its start) to 1 (its end). A time before the view is at 0, one after it at 1. */
export const shareOf = ({ from, length }: StripView, at: number): number => clamp((at - from) / length, 0, 1);

/** Returns the time at a position from 0 to 1 in the view. A position outside this range counts as 0 or 1. */
export const timeAt = ({ from, length }: StripView, share: number): number => from + clamp(share, 0, 1) * length;

/** Divides the view into `count` equal parts and returns the time in the middle of each part. */
export const middlesOf = ({ from, length }: StripView, count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => from + ((index + 0.5) / count) * length);
