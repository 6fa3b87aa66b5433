import { scaleText, type UsualQuality } from '../allowlist/usual-quality.ts';
import type { ValueError } from './value-error.ts';

/** The value of a name in an expression. undefined: the name is unknown. */
export type Constants = (name: string) => number | undefined;

/** The suffixes of numbers in ffmpeg, as exponents of ten: `k` is 10^3. With an `i`, `Ki` is 2^10. */
const PREFIXES: Readonly<Record<string, number>> = {
  y: -24,
  z: -21,
  a: -18,
  f: -15,
  p: -12,
  n: -9,
  u: -6,
  m: -3,
  c: -2,
  d: -1,
  h: 2,
  k: 3,
  K: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
  Z: 21,
  Y: 24,
};

/** The constants in ffmpeg's expressions. Old command lines use `lmax=32*QP2LAMBDA`. */
const BUILT_IN: Readonly<Record<string, number>> = {
  E: Math.E,
  PI: Math.PI,
  PHI: (1 + Math.sqrt(5)) / 2,
  QP2LAMBDA: 118,
};

const DIGITS = String.raw`0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const UNIT = `dB|[yzafpnumkKMGTPEZY]i|[yzafpnumcdhkKMGTPEZY]`;
const PLAIN = new RegExp(`^\\s*([+-]?)(${DIGITS})(${UNIT})?$`);
const OPERAND = new RegExp(`([+-]?)(?:(${DIGITS})(${UNIT})?|([A-Za-z_]\\w*))`, 'y');
const RATIO = /^\s*([+-]?\d+):([+-]?\d+)$/;

/** The maximum length of one number. No option needs more digits. */
const MAX_NUMBER_LENGTH = 64;

/** The maximum number of operands in a sum or product. ffmpeg has no limit, but real requests have two or three. */
const MAX_OPERANDS = 16;

/** Reads a number like av_strtod: `23`, `1.5M`, `64Ki`, `1e6`, `0x1F`, `-3dB`. The suffix `B`, a factor of 8 for ffmpeg, is rejected: `1MB` is 8 MB. */
export function readPlainNumber(text: string): number | undefined {
  const match = text.length > MAX_NUMBER_LENGTH ? null : PLAIN.exec(text);
  return match === null ? undefined : numberOf(match[1], match[2] ?? '', match[3]);
}

/**
 * The number that an AVOption reads from `text`: a plain number, a constant, or sums and products of them (`2*1024*1024`, `30000/1001`).
 * Spaces are ignored (`1 M`). Function calls are not supported, because ffmpeg never finishes `while(1,1)`.
 */
export function readNumber(text: string, constants: Constants = () => undefined): number | undefined {
  const plain = readPlainNumber(text);
  if (plain !== undefined) return plain;
  return readSum(text.replaceAll(/\s/g, ''), constants);
}

/** Reads a number, or two whole numbers with a colon (`16:9`), as ratios and frame rates have. */
export function readRatio(text: string, constants?: Constants): number | undefined {
  const [, numerator, denominator] = RATIO.exec(text) ?? [];
  if (numerator === undefined || text.length > 2 * MAX_NUMBER_LENGTH) return readNumber(text, constants);
  return Number(denominator) === 0 ? undefined : Number(numerator) / Number(denominator);
}

function readSum(text: string, constants: Constants): number | undefined {
  let sum = 0;
  let product: number | undefined;
  let operator = '+';
  OPERAND.lastIndex = 0;
  for (let operands = 0; operands < MAX_OPERANDS; operands += 1) {
    const match = OPERAND.exec(text);
    if (match === null) return undefined;
    const end = OPERAND.lastIndex;
    const [, sign, digits, unit, name] = match;
    if ((digits ?? '').length > MAX_NUMBER_LENGTH) return undefined;
    const value = digits === undefined ? named(sign, name ?? '', constants) : numberOf(sign, digits, unit);
    if (value === undefined) return undefined;
    if (operator === '*') product = (product ?? 1) * value;
    else if (operator === '/') product = (product ?? 1) / value;
    else {
      sum += product ?? 0;
      product = operator === '-' ? -value : value;
    }
    if (end === text.length) {
      const result = sum + (product ?? 0);
      return Number.isFinite(result) ? result : undefined;
    }
    operator = text.charAt(end);
    if (!'+-*/'.includes(operator)) return undefined;
    OPERAND.lastIndex = end + 1;
  }
  return undefined;
}

function named(sign: string | undefined, name: string, constants: Constants): number | undefined {
  const value = constants(name) ?? (Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined);
  return value === undefined || sign !== '-' ? value : -value;
}

function numberOf(sign: string | undefined, digits: string, unit: string | undefined): number {
  let value = Number(digits);
  // The sign applies to the decibels: -6dB is a factor of about 0.5.
  if (unit === 'dB') return 10 ** ((sign === '-' ? -value : value) / 20);
  if (unit !== undefined) {
    const power = PREFIXES[unit.charAt(0)] ?? 0;
    // A division by 1000 is exact, but a multiplication by 1e-3 is not.
    if (unit.length === 2) value *= 2 ** ((power / 3) * 10);
    else value = power < 0 ? value / 10 ** -power : value * 10 ** power;
  }
  return sign === '-' ? -value : value;
}

/** undefined: no bound on this side. */
export interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** ffmpeg uses the limits of its integer types for "no bound". */
const NO_BOUND = 2 ** 31 - 1;

const isTypeLimit = (bound: number): boolean => Math.abs(bound) >= NO_BOUND;

/** Prints a range as `0 to 51` or `at least 0`. undefined: no bounds. A limit of an integer type is only printed if `value` exceeds it. */
export function rangeText({ min, max }: Range, value = 0): string | undefined {
  const low = min === undefined || (isTypeLimit(min) && value >= min) ? undefined : format(min);
  const high = max === undefined || (isTypeLimit(max) && value <= max) ? undefined : format(max);
  if (low === undefined) return high === undefined ? undefined : `at most ${high}`;
  return high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

export const isInRange = (value: number, { min, max }: Range): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/** The end of a message about a value that is not a number, if its unit is a multiple: `2 Mbps`, `44.1 kHz`, `10 MB`. */
export const knownUnits = (value: string): string =>
  /^[\d.,]+\s*(?:[kmg]i?(?:b|hz)|b$|kilo|mega|giga)/i.test(value) ? ' Units are k, M and G.' : '';

/** The error for a number out of range, which suggests the nearest bound. `allowed`: the range in words, and perhaps names. */
export const outOfRange = (
  message: string,
  value: number,
  { min, max }: Range,
  allowed: readonly string[],
): ValueError => ({
  code: 'OUT_OF_RANGE',
  message,
  allowed,
  nearest:
    min !== undefined && value < min
      ? { bound: format(min), others: 'more' }
      : { bound: format(max ?? value), others: 'less' },
});

const format = (value: number): string => String(Number(value.toPrecision(12)));

/**
 * Adds both ends of a quality scale to an error about its range. Suggest no bound, because the end of a scale is rarely useful: 51 is the
 * worst quality of libx264.
 */
export const outsideScale = (error: ValueError, scale: UsualQuality | undefined): ValueError =>
  error.code !== 'OUT_OF_RANGE' || scale === undefined
    ? error
    : { ...error, message: `${error.message} On this scale, ${scaleText(scale)}.`, nearest: undefined };
