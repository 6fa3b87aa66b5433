import type { InSteps } from './steps.ts';

/** The number of items per step, which then takes some milliseconds. */
export const STEP = 65_536;

/** Sorts numbers in steps (merge sort), so that other work of the process runs in between. */
export function* sortInSteps(numbers: ArrayLike<number>): InSteps<Float64Array> {
  const { length } = numbers;
  let [from, to] = [new Float64Array(length), new Float64Array(length > STEP ? length : 0)];
  for (let start = 0; start < length; start += STEP) {
    const end = Math.min(start + STEP, length);
    for (let at = start; at < end; at++) from[at] = numbers[at] ?? 0;
    from.subarray(start, end).sort();
    yield;
  }
  for (let width = STEP; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, length), Math.min(start + 2 * width, length)];
      yield* mergeInSteps(from, to, { start, middle, end });
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two adjacent sorted ranges of `from` into `to`. */
function* mergeInSteps(
  from: Float64Array,
  to: Float64Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): InSteps<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || (left < middle && (from[left] ?? 0) <= (from[right] ?? 0));
    to[at] = from[isLeft ? left++ : right++] ?? 0;
    if (at % STEP === 0) yield;
  }
}
