import { downToMilliseconds } from './trim-time.ts';

/** A part of a source, in seconds from its start. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a part may be. */
export interface Bounds {
  readonly duration: number;
  /** Frames per second. undefined: the source has no video. */
  readonly fps?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
}

/** The length of a step without frames, in seconds. */
const AUDIO_STEP = 0.05;

/** The length of one frame, in seconds. Absurd rates come from damage. */
export const frameSeconds = ({ fps = 0 }: Pick<Bounds, 'fps'>): number =>
  fps >= 1 && fps <= 300 ? 1 / fps : AUDIO_STEP;

/** Returns `value`, or the limit that it exceeds. */
export const clamp = (value: number, low: number, high: number): number => Math.max(low, Math.min(high, value));

const leastOf = (bounds: Bounds): number =>
  Math.min(bounds.duration, Math.max(bounds.minLength ?? 0, frameSeconds(bounds)));

/** Moves the start. The end stays, unless the part would be longer than allowed. */
export function moveStart({ end }: Range, to: number, bounds: Bounds): Range {
  const start = clamp(to, 0, Math.max(0, end - leastOf(bounds)));
  return { start, end: Math.min(end, start + (bounds.maxLength ?? Number.POSITIVE_INFINITY)) };
}

/** Moves the end. The start stays, unless the part would be longer than allowed. */
export function moveEnd({ start }: Range, to: number, bounds: Bounds): Range {
  const end = clamp(to, Math.min(bounds.duration, start + leastOf(bounds)), bounds.duration);
  return { start: Math.max(start, end - (bounds.maxLength ?? Number.POSITIVE_INFINITY)), end };
}

/** The part that the values of the draft ask for, within the source. */
export function boundedRange({ start, end }: Range, bounds: Bounds): Range {
  const from = clamp(start, 0, bounds.duration);
  return { start: from, end: clamp(end, from, bounds.duration) };
}

/** A step by keys: by frames (arrows), by a second (with Shift), by ten seconds (Page Up and Page Down), or to an end. */
export function stepTo(at: number, key: string, isShift: boolean, bounds: Bounds): number | undefined {
  const frame = frameSeconds(bounds);
  const by = (seconds: number): number => clamp(at + seconds, 0, bounds.duration);
  const byFrames = (count: number): number =>
    clamp(downToMilliseconds((Math.round(at / frame) + count) * frame), 0, bounds.duration);
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return isShift ? by(-1) : byFrames(-1);
    case 'ArrowRight':
    case 'ArrowUp':
      return isShift ? by(1) : byFrames(1);
    case 'PageDown':
      return by(-10);
    case 'PageUp':
      return by(10);
    case 'Home':
      return 0;
    case 'End':
      return bounds.duration;
    default:
      return undefined;
  }
}

/** The time of the frame at a place, so that a drag moves from frame to frame. */
export const frameAt = (seconds: number, bounds: Bounds): number => {
  const frame = frameSeconds(bounds);
  return clamp(downToMilliseconds(Math.round(seconds / frame) * frame), 0, bounds.duration);
};

/**
 * The part of a frame by which a time may miss the frame that it names, because times are rounded down to milliseconds. At 240 frames per
 * second, a millisecond is a quarter of a frame.
 */
const toleranceOf = (frame: number): number => Math.max(0.1, 0.001 / frame);

/** The index of the first frame that is not before a time. */
const indexFrom = (seconds: number, bounds: Bounds): number => {
  const frame = frameSeconds(bounds);
  return Math.ceil(seconds / frame - toleranceOf(frame));
};

const timeOfIndex = (index: number, bounds: Bounds): number =>
  clamp(downToMilliseconds(index * frameSeconds(bounds)), 0, bounds.duration);

/** The time of the first frame of a part that starts at a time, which need not be that of a frame. */
export const firstFrameOf = (start: number, bounds: Bounds): number => timeOfIndex(indexFrom(start, bounds), bounds);

/** The time of the last frame of a part that ends at a time. */
export const lastFrameOf = (end: number, bounds: Bounds): number => timeOfIndex(indexFrom(end, bounds) - 1, bounds);

/** The time of the frame that is shown at a position. At the end of the source, this is the last frame. */
export const frameShownAt = (seconds: number, bounds: Bounds): number => {
  const frame = frameSeconds(bounds);
  const shown = timeOfIndex(Math.floor(seconds / frame + toleranceOf(frame)), bounds);
  return Math.min(shown, lastFrameOf(bounds.duration, bounds));
};
