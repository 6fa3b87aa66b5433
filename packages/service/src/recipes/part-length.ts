import type { OptionValue, Parameters } from '@telecine/contract/domain/conversion.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { parseDuration } from '@telecine/ffmpeg/values/duration.ts';

/**
 * Where the part of an input begins that its options `ss` and `sseof` choose, in seconds: filters count from 0 there. `duration`: that of
 * the input. ffmpeg ignores `sseof` without it, before the start of the input, and beside `ss`.
 */
export function partStart({ ss, sseof }: Parameters, duration: number | undefined): number {
  if (typeof ss === 'string') return parseDuration(ss) ?? 0;
  const beforeEnd = typeof sseof === 'string' ? (parseDuration(sseof) ?? 0) : 0;
  return duration === undefined || beforeEnd >= 0 ? 0 : Math.max(0, rounded(duration + beforeEnd, 6));
}

/**
 * The length of the part of an input that its options `ss`, `to` and `t` choose, in seconds. A recipe computes bit rates and fades with it.
 * Returns `duration` if the options choose no part, or none that is known here.
 */
export function partLength(duration: number, { ss, sseof, to, t }: Parameters = {}): number {
  const seconds = (value: OptionValue | undefined): number | undefined =>
    typeof value === 'string' ? parseDuration(value) : undefined;
  if ([ss, to, t].every((value) => value === undefined) || sseof !== undefined) return duration;
  const start = seconds(ss) ?? 0;
  // ffmpeg ignores `to` if there is also `t`.
  const end = t === undefined ? seconds(to) : start + (seconds(t) ?? Number.NaN);
  const length = Math.min(end ?? duration, duration) - start;
  return length > 0 ? rounded(length, 6) : duration;
}
