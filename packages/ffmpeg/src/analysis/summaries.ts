import { type Interval, type Intervals, MAX_LISTED } from '@telecine/contract/domain/analysis.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import type { FoundValue } from '../log/printed-frames.ts';

type Values = AsyncGenerator<FoundValue>;

/** Returns the last value: for filters that print a value about all frames so far, it is about the whole stream. undefined: no value. */
export async function lastValue(values: Values): Promise<number | undefined> {
  let last: number | undefined;
  for await (const { value } of values) last = value;
  return last;
}

/** The number of frames, and the end of the last frame in seconds. */
interface Extent {
  readonly frames: number;
  readonly end: number;
}

/** The extent of a video. The length of the last frame is unknown: the length of the frame before counts, but at most the average. */
export async function videoExtent(values: Values): Promise<Extent> {
  let frames = 0;
  let first: number | undefined;
  let [before, last] = [0, 0];
  for await (const { at } of values) {
    frames += 1;
    if (!Number.isFinite(at)) continue;
    first ??= at;
    [before, last] = [last, at];
  }
  const mean = (last - (first ?? 0)) / Math.max(1, frames - 1);
  return { frames, end: last + Math.min(Math.max(0, last - before), mean) };
}

/** The extent of audio. `values` have the times at which frames end. */
export async function audioExtent(values: Values): Promise<Extent> {
  let [frames, end] = [0, 0];
  for await (const { at } of values) {
    frames += 1;
    if (at > end) end = at;
  }
  return { frames, end };
}

/** The times that a filter printed. Filters print six digits, so a time after 10,000 s is exact to 50 ms. */
export async function* printedTimes(values: Values): AsyncGenerator<number> {
  for await (const { value } of values) yield value;
}

/** The times of the frames for which a filter printed a value. */
export async function* frameTimes(values: Values): AsyncGenerator<number> {
  for await (const { at } of values) yield at;
}

/**
 * Pairs starts with ends, and drops intervals that are shorter than `minSeconds`. Filters do not report the end of a stream, so an interval
 * without an end lasts until `end`.
 */
export async function intervalsOf(
  starts: AsyncIterable<number>,
  ends: AsyncGenerator<number>,
  { end, minSeconds = 0, offset = 0 }: { readonly end: number; readonly minSeconds?: number; readonly offset?: number },
): Promise<Intervals> {
  const intervals: Interval[] = [];
  let count = 0;
  let totalSeconds = 0;
  // Closes the file even if not all of it was read.
  await using opened = ends;
  for await (const start of starts) {
    let next = await opened.next();
    while (next.done !== true && next.value < start) next = await opened.next();
    const stop = next.done === true ? Math.max(end, start) : next.value;
    if (stop - start < minSeconds - TOLERANCE) continue;
    count += 1;
    totalSeconds += stop - start;
    if (intervals.length < MAX_LISTED) intervals.push({ start: rounded(start + offset), end: rounded(stop + offset) });
  }
  return { count, totalSeconds: rounded(totalSeconds), intervals };
}

/** The tolerance, in seconds, for times that are rounded to microseconds. */
const TOLERANCE = 0.000_002;

/** The mean score of a comparison, its lowest score, and the time of that frame. */
export interface Quality {
  readonly mean: number;
  readonly min: number;
  readonly minAt: number;
}

/** Returns the mean and the lowest value. undefined: there are no frames. */
export async function qualityOf(values: Values, offset: number): Promise<Quality | undefined> {
  let [frames, sum, min, minAt] = [0, 0, Number.POSITIVE_INFINITY, 0];
  for await (const { at, value } of values) {
    if (Number.isNaN(value)) continue;
    frames += 1;
    sum += value;
    if (value < min) [min, minAt] = [value, at];
  }
  return frames === 0
    ? undefined
    : { mean: rounded(sum / frames, 6), min: rounded(min, 6), minAt: rounded(minAt + offset) };
}

/**
 * The PSNR of all frames together, from the mean of their squared errors, as in ffmpeg. null: all frames are equal. undefined: there are no
 * frames.
 *
 * @param errors The mean squared error of each frame.
 * @param levels The PSNR of each frame, in dB.
 */
export async function psnrOf(errors: Values, levels: Values, offset: number): Promise<Quality | null | undefined> {
  let [frames, sum, peak] = [0, 0, 0];
  let [min, minAt] = [Number.POSITIVE_INFINITY, 0];
  await using opened = levels;
  for await (const { at, value: error } of errors) {
    const next = await opened.next();
    if (next.done === true) break;
    frames += 1;
    sum += error;
    const level = next.value.value;
    // The square of the highest pixel value (which depends on the bit depth), computed from any frame with errors.
    if (error > 0 && Number.isFinite(level)) peak = error * 10 ** (level / 10);
    if (level < min) [min, minAt] = [level, at];
  }
  if (frames === 0) return undefined;
  if (sum === 0 || peak === 0) return null;
  return {
    mean: rounded(10 * Math.log10(peak / (sum / frames)), 2),
    min: rounded(min, 2),
    minAt: rounded(minAt + offset),
  };
}

/**
 * The XPSNR of all frames, from the mean of the square roots of their errors, as in ffmpeg. null: there are no frames, or all are equal.
 */
export async function xpsnrOf(levels: Values): Promise<number | null> {
  let [frames, sum] = [0, 0];
  for await (const { value } of levels) {
    frames += 1;
    sum += value === Number.POSITIVE_INFINITY ? 0 : 10 ** (-value / 20);
  }
  return frames === 0 || sum === 0 ? null : rounded(-20 * Math.log10(sum / frames), 2);
}

/** Finds the frames of `all` that are missing in `kept`, by their times. */
export async function missingFrames(
  all: Values,
  kept: Values,
  offset: number,
): Promise<{ readonly frames: number; readonly duplicates: number; readonly at: readonly number[] }> {
  const at: number[] = [];
  let [frames, duplicates] = [0, 0];
  await using opened = kept;
  let next = await opened.next();
  for await (const frame of all) {
    frames += 1;
    if (next.done !== true && next.value.pts === frame.pts) {
      next = await opened.next();
      continue;
    }
    duplicates += 1;
    if (at.length < MAX_LISTED) at.push(rounded(frame.at + offset));
  }
  return { frames, duplicates, at };
}
