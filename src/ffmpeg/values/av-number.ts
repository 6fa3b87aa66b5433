import { sendValue } from '../../domain/edit.ts';
import type { AvOption } from '../catalogue/component.ts';
import { type Constants, readNumber, readRatio } from './number.ts';
import { fixForRange, isInRange, rangeText } from './range.ts';
import { suggestNumber } from './suggest-number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/** Words that every numeric option and every set of flags accepts. */
export const GENERIC_CONSTANTS: ReadonlySet<string> = new Set(['default', 'max', 'min', 'none', 'all']);

/**
 * Returns the number that `option` reads from `value`, which may contain named constants. Returns NaN for a constant
 * whose value is unknown, such as "default", and undefined if `value` is not a number.
 */
function readAvNumber(option: AvOption, value: string): number | undefined {
  const exact = option.constants.find(({ name }) => name === value);
  if (exact !== undefined) return exact.value ?? Number.NaN;
  if (value === 'all' && !/flags/.test(option.type)) return -1;
  if (GENERIC_CONSTANTS.has(value)) return Number.NaN;
  return (option.type === 'rational' ? readRatio : readNumber)(value, constantsOf(option));
}

/** Returns a function that looks up names in a sum. A constant whose value is unknown counts as the lower bound. */
export const constantsOf =
  ({ constants, min = 0, max = min }: AvOption): Constants =>
  (name) => {
    const constant = constants.find((one) => one.name === name);
    if (constant !== undefined) return constant.value ?? min;
    if (name === 'max') return max;
    if (name === 'min' || name === 'default') return min;
    if (name === 'none') return 0;
    return name === 'all' ? -1 : undefined;
  };

/** Checks a number or a named constant. */
export function checkAvNumber(key: string, option: AvOption, value: string): ValueError | undefined {
  const read = readAvNumber(option, value);
  if (read !== undefined && (Number.isNaN(read) || isInRange(read, option))) return undefined;
  const words = option.constants.map(({ name }) => name);
  const range = rangeText(option, read);
  const shapes = range === undefined ? ['a number'] : [range];
  if (read === undefined)
    return badValue(
      words.length === 0
        ? `"${key}" must be a number, not ${quoted(value)}.`
        : `"${key}" does not accept ${quoted(value)}.`,
      value,
      { shapes, names: words, fix: suggestNumber(value, option) },
    );
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" must be ${range}, not ${quoted(value)}${asFactor(value, read)}.`,
    allowed: [...shapes, ...words.slice(0, 19)],
    fix: isLevel(key, value, option)
      ? sendValue(`${value}dB`)
      : fixForRange(value, read, option, /int/.test(option.type)),
  };
}

/** What ffmpeg makes of decibels, for messages. Empty for other numbers. */
const asFactor = (value: string, read: number): string =>
  /\ddB$/.test(value) ? `, which ffmpeg reads as the factor ${Number(read.toPrecision(3))}` : '';

/** Options of filters that compare the sound with a level, which is a factor, and which meters show in decibels. */
const LEVELS =
  /^(?:silenceremove=st(?:art|op)_threshold|silencedetect=n(?:oise)?|(?:agate|acompressor|sidechaingate|sidechaincompress)=threshold)$/;

/** Whether a negative number lacks its unit: a factor has no sign. */
const isLevel = (key: string, value: string, option: AvOption): boolean => {
  const read = /^-\d+(?:\.\d+)?$/.test(value) ? readNumber(`${value}dB`) : undefined;
  return LEVELS.test(key) && read !== undefined && isInRange(read, option);
};
