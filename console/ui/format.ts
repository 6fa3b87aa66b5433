const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number and its unit, which never stand on two lines. */
export const quantity = (value: number | string, unit: string): string => `${value}\u00a0${unit}`;

/** Formats a size in decimal units: `850 kB`, `1.3 MB`, `25 MB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0;
  return quantity(Number(value.toFixed(digits)), UNITS[unit] ?? 'B');
}

/** Formats bits per second: `300 kbit/s`, `1,778 kbit/s`. */
export const formatBitRate = (bitsPerSecond: number): string =>
  quantity(Math.round(bitsPerSecond / 1000).toLocaleString(), 'kbit/s');

/** Formats a duration: `20 ms`, `0.4 s`, `59 s`, `1:15`, `1:02:05`. */
export function formatDuration(seconds: number): string {
  if (seconds > 0 && seconds < 0.095) return quantity(Math.max(1, Math.round(seconds * 1000)), 'ms');
  if (seconds < 9.95) return quantity(Number(seconds.toFixed(1)), 's');
  const whole = Math.round(seconds);
  if (whole < 60) return quantity(whole, 's');
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

const LONG_UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Formats a long time, such as an uptime, in its two largest units: `45 s`, `1 min 29 s`, `2 h`, `30 d`. */
export function formatLongTime(seconds: number): string {
  const whole = Math.round(seconds);
  const first = LONG_UNITS.findIndex(([size]) => whole >= size);
  const parts = LONG_UNITS.map(([size, unit], index) => {
    const bigger = LONG_UNITS[index - 1]?.[0];
    return [Math.floor((bigger === undefined ? whole : whole % bigger) / size), unit] as const;
  });
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0);
  return first < 0 ? quantity(0, 's') : shown.map(([count, unit]) => quantity(count, unit)).join(' ');
}

const [MINUTE, HOUR, DAY_SECONDS] = [60, 3600, 86_400];

/** Formats an estimate of the time left. From an hour on, minutes would only seem exact: `12 s`, `1:15`, `11 h`, `2 d`. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < HOUR) return formatDuration(seconds);
  const hours = Math.max(1, Math.round(seconds / HOUR));
  return hours < 48 ? quantity(hours, 'h') : quantity(Math.round(seconds / DAY_SECONDS), 'd');
}

/**
 * Formats an estimate from little of a conversion, which can be wrong by half: one figure, such as `about 50 min` or `about 3 h`. Less than a
 * minute needs no figure.
 */
export function formatRoughTimeLeft(seconds: number): string {
  if (seconds < 55) return `less than ${quantity(1, 'min')}`;
  const minutes = oneFigure(seconds / MINUTE);
  if (minutes < 60) return `about ${quantity(minutes, 'min')}`;
  const hours = Math.max(1, oneFigure(seconds / HOUR));
  return `about ${hours < 48 ? quantity(hours, 'h') : quantity(oneFigure(seconds / DAY_SECONDS), 'd')}`;
}

const oneFigure = (value: number): number => Number(value.toPrecision(1));

/** A number of things in words: `1 file`, `1,200 files`. */
export const countText = (count: number, one: string): string =>
  `${count.toLocaleString()} ${count === 1 ? one : `${one}s`}`;

/** Formats how long something is kept, for a sentence: `10 minutes`, `24 hours`, `7 days`. In tables, `formatLongTime` is shorter. */
export function formatLifetime(seconds: number): string {
  const [size, unit] =
    seconds >= 2 * DAY_SECONDS ? [DAY_SECONDS, 'day'] : seconds >= HOUR ? [HOUR, 'hour'] : [MINUTE, 'minute'];
  return countText(Math.max(1, Math.round(seconds / size)), unit);
}

/** Formats times of day in the language of the browser, with seconds (`CLOCK`) or without (`SHORT_CLOCK`): `9:10 AM` or `09:10`. */
export const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
export const SHORT_CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

/** Formats a time in the time zone of the browser. The date is omitted if it is today. */
export function formatMoment(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? CLOCK.format(at) : `${DAY.format(at)}, ${SHORT_CLOCK.format(at)}`;
}

const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Formats a time with its date and time zone: `22 Nov 2026, 09:10:46 UTC`. It is the same tomorrow. */
export const formatFullMoment = (iso: string): string => FULL.format(new Date(iso));

/**
 * The name of the time zone of the browser: `UTC`, `Europe/Berlin`. Not its offset, which differs in summer: a list can have records of both
 * halves of a year.
 */
export const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');

const RECORD = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});
const RECORD_OF_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Formats a time for a list of records whose heading names the time zone: `22 Nov, 09:10:46`. The year is omitted if it is this one. */
export function formatRecordMoment(iso: string, now: number): string {
  const at = new Date(iso);
  return (at.getFullYear() === new Date(now).getFullYear() ? RECORD : RECORD_OF_YEAR).format(at);
}

/** The age in days from which a time is shown as its date. */
const MAX_DAYS = 7;

/** Formats how long ago a time is, or how far ahead: `just now`, `5 min ago`, `in 3 h`. Beyond a week, its date. */
export function formatAgo(iso: string, now: number): string {
  const at = new Date(iso);
  const seconds = (now - at.getTime()) / 1000;
  const away = Math.abs(seconds);
  // The clocks of the browser and of the service differ by seconds.
  if (away < 45) return 'just now';
  if (away >= MAX_DAYS * DAY_SECONDS)
    return at.getFullYear() === new Date(now).getFullYear() ? DAY.format(at) : DAY_OF_YEAR.format(at);
  const [size, unit] =
    away >= DAY_SECONDS - HOUR / 2
      ? ([DAY_SECONDS, 'd'] as const)
      : away >= HOUR - MINUTE / 2
        ? ([HOUR, 'h'] as const)
        : ([MINUTE, 'min'] as const);
  const text = quantity(Math.max(1, Math.round(away / size)), unit);
  return seconds < 0 ? `in ${text}` : `${text} ago`;
}

/** The code of a problem in words: `Input not found` of `INPUT_NOT_FOUND`. */
export function codeInWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ').replaceAll('url', 'URL');
  return words.startsWith('ffmpeg') ? words : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Formats how long a state has lasted, in whole minutes: `less than 1 min`, `4 min`, `2 h 5 min`. */
export function formatAge(iso: string, now: number): string {
  const minutes = Math.round((now - new Date(iso).getTime()) / (MINUTE * 1000));
  return minutes < 1 ? `less than ${quantity(1, 'min')}` : formatLongTime(minutes * MINUTE);
}
