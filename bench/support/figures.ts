/** Middle value; of an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1] ?? Number.NaN, sorted[half] ?? Number.NaN];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** The value below which `share` (0–1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** `median (lowest–highest)` with so many digits after the point. */
export const spread = (values: readonly number[], digits = 0): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)}–${Math.max(...values).toFixed(digits)})`;

/** Says a bound and whether it was met; a missed one makes the program exit with 1 at its end. */
export function bound(what: string, value: number, operator: '>=' | '<=', limit: number, digits = 2): void {
  const met = operator === '>=' ? value >= limit : value <= limit;
  console.log(`${met ? 'met   ' : 'MISSED'}  ${what}: ${value.toFixed(digits)}, wanted ${operator} ${limit}`);
  if (!met) process.exitCode = 1;
}
