/** The bounds of a number. An absent bound means that there is none. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** ffmpeg uses the limits of its integer types for "no bound". */
const NO_BOUND = 2 ** 31 - 1;

/** Returns `0 to 51` or `at least 0`, or undefined if there is no bound. */
export function rangeText({ min, max }: Range): string | undefined {
  const low = min === undefined || min <= -NO_BOUND ? undefined : format(min);
  const high = max === undefined || max >= NO_BOUND ? undefined : format(max);
  if (low === undefined) return high === undefined ? undefined : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

export const isInRange = (value: number, { min, max }: Range): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/** The bound closest to a value out of range. */
export const nearestBound = (value: number, { min, max }: Range): string =>
  format(min !== undefined && value < min ? min : (max ?? value));

const format = (value: number): string => String(Number(value.toPrecision(12)));
