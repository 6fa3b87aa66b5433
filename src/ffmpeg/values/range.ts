import { sendValue } from '../../domain/edit.ts';
import type { Hint } from '../../domain/hint.ts';
import { type QualityScale, scaleText } from '../allowlist/quality-scales.ts';
import { readPlainNumber } from './number.ts';
import type { ValueError } from './value-error.ts';

/** The bounds of a number. An absent bound means that there is none. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** ffmpeg uses the limits of its integer types for "no bound". */
const NO_BOUND = 2 ** 31 - 1;

/** Whether a bound is a limit of an integer type, and not of what the option means. */
const isTypeLimit = (bound: number): boolean => Math.abs(bound) >= NO_BOUND;

/**
 * Returns `0 to 51` or `at least 0`, or undefined if there is no bound. The limits of integer types are left out, except the one that
 * `value` exceeds.
 */
export function rangeText({ min, max }: Range, value = 0): string | undefined {
  const low = min === undefined || (isTypeLimit(min) && value >= min) ? undefined : format(min);
  const high = max === undefined || (isTypeLimit(max) && value <= max) ? undefined : format(max);
  if (low === undefined) return high === undefined ? undefined : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

export const isInRange = (value: number, { min, max }: Range): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/**
 * What to send instead of `text`, whose value is out of range: the number with the other sign (`TP=1.5` for -1.5), a
 * fraction instead of a percentage (`30` for 0.3), or the bound if the value is close to it. A bound that is far from the
 * value is not what the client means, so then the fix only repeats the range.
 *
 * @param whole Whether the number is an integer. These are mostly steps of quality, of which the last one is meant.
 */
export function fixForRange(text: string, value: number, range: Range, whole = false): Hint {
  const meant = meantNumber(text.trim(), value, range, whole);
  return meant === undefined ? `Send a number that is ${rangeText(range, value)}.` : sendValue(meant);
}

/** The number that a client means by `text`. Undefined if no correction is likely. See `fixForRange`. */
export function meantNumber(text: string, value: number, range: Range, whole = false): string | undefined {
  const { min, max } = range;
  const decibels = plainDecibels(text, range);
  if (decibels !== undefined) {
    const level = Number(decibels);
    return isInRange(level, range) ? decibels : meantNumber(decibels, level, range, whole);
  }
  const negated = text.startsWith('-') ? text.slice(1) : `-${text.replace(/^\+/, '')}`;
  const opposite = readPlainNumber(negated);
  // -1 often means "automatic" or "no limit", never 1.
  if (value !== -1 && opposite !== undefined && isInRange(opposite, range) && /^-?[\d.]+[A-Za-z]{0,2}$/.test(negated))
    return negated;
  if (max === 1 && !whole && value >= 2 && value <= 100 && isInRange(value / 100, range)) return format(value / 100);
  const span = min !== undefined && max !== undefined ? max - min : 0;
  const bound = Number(nearestBound(value, range));
  if (isTypeLimit(bound)) return undefined;
  if (whole) return Math.abs(value - bound) <= Math.max(10 * span, 100) ? nearestBound(value, range) : undefined;
  const tolerance = bound === 0 ? 0.05 * span : 0.25 * Math.abs(bound);
  return Math.abs(value - bound) <= tolerance ? nearestBound(value, range) : undefined;
}

/**
 * The number of a level such as `-1dB`, for an option that is in decibels itself: its range has negative numbers, which
 * factors have not. ffmpeg reads `-1dB` as the factor 0.89.
 */
export function plainDecibels(text: string, { min }: Range): string | undefined {
  const level = /^\+?(-?\d+(?:\.\d+)?)\s*dB/i.exec(text.trim())?.[1];
  return min === undefined || min < 0 ? level : undefined;
}

/** The bound closest to a value out of range. */
export const nearestBound = (value: number, { min, max }: Range): string =>
  format(min !== undefined && value < min ? min : (max ?? value));

const format = (value: number): string => String(Number(value.toPrecision(12)));

/**
 * The error about a number that is out of range, if it is on a scale of quality: names both ends of the scale, and sends
 * the usual value. A dash that the client wrote before a usual value is dropped.
 */
export function outsideScale(error: ValueError, value: string, scale: QualityScale | undefined): ValueError {
  if (error.code !== 'OUT_OF_RANGE' || scale === undefined) return error;
  const [low = scale.min, high = scale.max] = scale.usual.split(' to ').map(Number);
  const positive = /^-([\d.]+)$/.exec(value.trim())?.[1];
  const isUsual = positive !== undefined && Number(positive) >= low && Number(positive) <= high;
  return {
    ...error,
    message: `${error.message} On this scale, ${scaleText(scale)}.`,
    fix: sendValue(isUsual ? positive : scale.send),
  };
}
