import { DURATION_STEPS } from './time-labels.ts';

/** The kind of values of a plot. Grid lines of counts are at whole numbers, and those of durations at whole seconds, minutes, hours or days. */
export type ValueKind = 'counts' | 'durations' | 'any';

/** The number of spaces between the grid lines. All plots have as many, so that those beside each other can be compared. */
const SPACES = 4;

/** The possible distances between grid lines: 1, 2, 5, 10, 20, 50 and so on. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((one) => one * 10 ** power)).flat();

/** The values at which the grid lines of an axis are. The first is 0, and the last is at or above the largest value. */
export function gridLines(max: number, kind: ValueKind): readonly number[] {
  const step = stepOf(max, kind);
  return Array.from({ length: SPACES + 1 }, (_, index) => index * step);
}

function stepOf(max: number, kind: ValueKind): number {
  if (max <= 0) return 1;
  const fits = (step: number): boolean => step * SPACES >= max;
  const step = kind === 'any' ? undefined : (kind === 'counts' ? WHOLE_STEPS : DURATION_STEPS).find(fits);
  if (step !== undefined) return step;
  const power = 10 ** Math.floor(Math.log10(max / SPACES));
  return ([1, 2, 5].find((one) => fits(one * power)) ?? 10) * power;
}
