import { isMembers } from '../domain/structured-values.ts';

/** Reads texts in fields for a number, a boolean or a list: `"7d"`, `"10MB"`, `"true"`, `"silence"`. */

/** Units of time with all their names, matched as a whole: `ms` is not minutes. Months are missing, because they have no fixed length. */
const UNITS: readonly (readonly [names: RegExp, seconds: number])[] = [
  [/^(?:ms|msecs?|milliseconds?)$/i, 0.001],
  [/^(?:s|secs?|seconds?)$/i, 1],
  [/^(?:m|mins?|minutes?)$/i, 60],
  [/^(?:h|hrs?|hours?)$/i, 3600],
  [/^(?:d|days?)$/i, 86_400],
  [/^(?:w|weeks?)$/i, 604_800],
];
const DURATION = /^(\d{1,9}(?:\.\d{1,6})?)\s*([a-z]{1,12})$/i;

const BYTES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };
const BINARY: Readonly<Record<string, number>> = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };
const SIZE = /^(\d{1,9}(?:\.\d{1,3})?)\s*([kmgt]?)(i?)b?(?:ytes?)?$/i;

const DECIBELS = /^-\d{1,3}(?:\.\d{1,3})?\s*db(?:fs)?$/i;

const PLAIN = /^-?\d{1,15}(?:\.\d{1,9})?$/;

/** The number that a text means in the field `name`. Seconds and bytes may have units. undefined: the meaning is unclear. */
export function meantNumber(name: string, text: string): number | undefined {
  const value = text.trim();
  if (PLAIN.test(value)) return Number(value);
  if (/seconds$/i.test(name)) return secondsIn(value);
  if (/db$/i.test(name)) return DECIBELS.test(value) ? Number.parseFloat(value) : undefined;
  const [, size, prefix = '', binary = ''] = /bytes$/i.test(name) ? (SIZE.exec(value) ?? []) : [];
  if (size === undefined) return undefined;
  const factor = (binary === '' ? BYTES : BINARY)[prefix.toLowerCase()];
  return factor === undefined ? undefined : Math.round(Number(size) * factor);
}

/** The seconds in a number with a unit, rounded to microseconds, because a product of fractions may have more digits. */
function secondsIn(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? [];
  const factor = UNITS.find(([names]) => names.test(unit))?.[1];
  return count === undefined || factor === undefined ? undefined : Number((Number(count) * factor).toFixed(6));
}

/** The seconds in `"90"`, `"1m"`, `"500ms"` and `"00:01:30"`. undefined for other texts. */
export const meantSeconds = (text: string): number | undefined => {
  const clock = clockSeconds(text);
  return clock === undefined ? meantNumber('seconds', text) : Number(clock);
};

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  1: true,
  false: false,
  no: false,
  0: false,
};

/** The boolean that a text or a number means. undefined: the meaning is unclear. */
export const meantBoolean = (value: unknown): boolean | undefined =>
  typeof value === 'string' || typeof value === 'number' ? BOOLEANS[String(value).trim().toLowerCase()] : undefined;

const MAX_NAMES = 20;
const NAME = /^[\w.:-]{1,100}$/;

/** The list of names in a text or in the keys of an object: `"loudness, silence"`. undefined: the meaning is unclear. */
export function meantNames(value: unknown): readonly string[] | undefined {
  const names =
    typeof value === 'string'
      ? value.split(/[\s,]+/).filter((one) => one !== '')
      : isMembers(value)
        ? Object.entries(value).flatMap(([name, one]) => (one === false || one === null ? [] : [name]))
        : [];
  return names.join() !== 'all' &&
    names.length > 0 &&
    names.length <= MAX_NAMES &&
    names.every((name) => NAME.test(name))
    ? names
    : undefined;
}

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:\.\d{1,6})?)$/;

/** The seconds in a time such as `00:01:30`, as a text. undefined for other texts. */
export function clockSeconds(value: unknown): string | undefined {
  const [, hours = '0', minutes = '0', seconds] = typeof value === 'string' ? (CLOCK.exec(value.trim()) ?? []) : [];
  return seconds === undefined ? undefined : String(Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}

export const isScalar = (value: unknown): value is string | number | boolean =>
  /^(?:string|number|boolean)$/.test(typeof value);
