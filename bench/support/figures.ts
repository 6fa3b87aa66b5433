/** The median. For an even count, it is the mean of the two values in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1] ?? Number.NaN, sorted[half] ?? Number.NaN];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** The percentile: the value below which a `share` (0–1) of the values are. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Formats `median (lowest–highest)` with `digits` decimal places. */
export const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

/** A measured value and its required bound. */
export interface Figure {
  readonly value: number;
  /** The lowest and the highest of the values, if `value` is their median. */
  readonly range?: readonly [number, number];
  readonly operator: '>=' | '<=';
  readonly limit: number;
  readonly isMet: boolean;
}

/**
 * Prints a bound of the median and whether it is met. If it is missed, the exit code of the process becomes 1. `bench:table` receives
 * the figure.
 */
export function bound(
  what: string,
  values: number | readonly number[],
  operator: '>=' | '<=',
  limit: number,
  digits = 2,
): void {
  const all = typeof values === 'number' ? [values] : values;
  const value = median(all);
  const isMet = operator === '>=' ? value >= limit : value <= limit;
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${value.toFixed(digits)}, required ${operator} ${limit}`);
  if (!isMet) process.exitCode = 1;
  const round = (one: number): number => Number(one.toFixed(digits));
  const range = all.length > 1 && { range: [round(Math.min(...all)), round(Math.max(...all))] as const };
  const figure: Figure = { value: round(value), ...range, operator, limit, isMet };
  process.send?.({ what, ...figure });
}
