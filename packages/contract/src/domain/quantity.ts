const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/**
 * Formats a number of bytes in decimal units, as all pages and messages do: `850 kB`, `1.07 GB`. `digits`: how many digits
 * are exact.
 */
export function sizeText(bytes: number, digits = 3): string {
  let value = bytes;
  let unit = 0;
  while (Number(value.toPrecision(digits)) >= 1000 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${Number(value.toPrecision(digits))} ${UNITS[unit]}`;
}

const BINARY_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a limit. In settings and docs it is usually a round number of binary units, which follows: `4.29 GB (4 GiB)`. */
export function sizeLimitText(bytes: number): string {
  const unit = BINARY_UNITS.findLastIndex((_, power) => bytes > 0 && bytes % 1024 ** (power + 1) === 0);
  const count = bytes / 1024 ** (unit + 1);
  return unit < 0 || count >= 1024 ? sizeText(bytes) : `${sizeText(bytes)} (${count} ${BINARY_UNITS[unit]})`;
}

/** Formats a duration: `1 second`, `90 seconds`, `2 hours`. */
export function durationText(seconds: number): string {
  const whole = (unit: number): boolean => seconds >= 2 * unit && seconds % unit === 0;
  const [count, unit] = whole(3600)
    ? [seconds / 3600, 'hour']
    : whole(60)
      ? [seconds / 60, 'minute']
      : [seconds, 'second'];
  return `${rounded(count, 1)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Rounds to decimals. Three are milliseconds, which are precise enough to name any frame. */
export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** The value, or the bound that is nearest to it. */
export const clamp = (value: number, { min, max }: { readonly min: number; readonly max: number }): number =>
  Math.max(min, Math.min(max, value));

/** Joins words: `a`, `a and b`, or `a, b and c`. */
export const andList = (words: readonly string[]): string => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** Cuts a text after `max` characters and adds an ellipsis. */
export const shorten = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max)}…` : text);

/** Formats an ISO 8601 date in UTC: `2026-01-31 12:00 UTC`. */
export const minuteOf = (date: string): string => `${date.slice(0, 16).replace('T', ' ')} UTC`;

/** Durations in milliseconds. */
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The longest timer of Node: 24.8 days. Node fires a longer timer at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The maximum time that one call waits for jobs, in seconds. Many clients end a call after a minute. */
export const MAX_CALL_WAIT_SECONDS = 50;
