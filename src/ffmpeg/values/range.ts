/** Bounds of a number; one left out: none. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** What ffmpeg calls no bound: the ends of its integer types. */
const BOUNDLESS = 2 ** 31 - 1;

/** `0 to 51`, `at least 0`; undefined: everything is inside. */
export function rangeText({ min, max }: Range): string | undefined {
  const low = min === undefined || min <= -BOUNDLESS ? undefined : figure(min);
  const high = max === undefined || max >= BOUNDLESS ? undefined : figure(max);
  if (low === undefined) return high === undefined ? undefined : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

export const isInRange = (value: number, { min, max }: Range): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/** The bound nearest to a value outside. */
export const nearestBound = (value: number, { min, max }: Range): string =>
  figure(min !== undefined && value < min ? min : (max ?? value));

const figure = (value: number): string => String(Number(value.toPrecision(12)));
