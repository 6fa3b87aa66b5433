/** Returns the value of a name in an expression, or undefined if the name is unknown. */
export type Constants = (name: string) => number | undefined;

/** The suffixes of ffmpeg's numbers, as exponents of ten. Before an `i`, 2^10 replaces 10^3. */
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

/** Constants of ffmpeg's evaluator. Old command lines use `lmax=32*QP2LAMBDA`. */
const BUILT_IN: Readonly<Record<string, number>> = {
  E: Math.E,
  PI: Math.PI,
  PHI: (1 + Math.sqrt(5)) / 2,
  QP2LAMBDA: 118,
};

const DIGITS = String.raw`0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const UNIT = `dB|[yzafpnumkKMGTPEZY]i|[yzafpnumcdhkKMGTPEZY]`;
const PLAIN = new RegExp(`^\\s*([+-]?)(${DIGITS})(${UNIT})?(B)?$`);
const OPERAND = new RegExp(`([+-]?)(?:(${DIGITS})(${UNIT})?(B)?|([A-Za-z_]\\w*))`, 'y');
const RATIO = /^\s*([+-]?\d+):([+-]?\d+)$/;

/** The maximum length of one number: no option has a value with more digits. */
export const MAX_NUMBER_LENGTH = 64;

/** The maximum number of operands in a sum or product. Real requests have two or three; ffmpeg has no limit. */
const MAX_OPERANDS = 16;

/**
 * Reads a number like av_strtod: `23`, `1.5M`, `64Ki`, `1e6`, `0x1F`, `-3dB`, `2MB` (a byte counts as 8). Returns
 * undefined if `text` is not such a number, or is longer than `MAX_NUMBER_LENGTH`.
 */
export function readPlainNumber(text: string): number | undefined {
  const match = text.length > MAX_NUMBER_LENGTH ? null : PLAIN.exec(text);
  return match === null ? undefined : numberOf(match[1], match[2] ?? '', match[3], match[4]);
}

/**
 * Returns the number that an AVOption reads from `text`: a plain number, a constant, or sums and products of them
 * (`2*1024*1024`, `30000/1001`). Spaces are ignored (`1 M`). Calls and parentheses are not allowed, because ffmpeg
 * never finishes `while(1,1)`. Returns undefined if `text` is not such a number.
 */
export function readNumber(text: string, constants: Constants = () => undefined): number | undefined {
  const plain = readPlainNumber(text);
  if (plain !== undefined) return plain;
  return readSum(text.replaceAll(/\s/g, ''), constants);
}

/** Reads a number, or two whole numbers with a colon (`16:9`), which only ratios and frame rates accept. */
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
    const [, sign, digits, unit, byte, name] = match;
    if ((digits ?? '').length > MAX_NUMBER_LENGTH) return undefined;
    const value = digits === undefined ? named(sign, name ?? '', constants) : numberOf(sign, digits, unit, byte);
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

function numberOf(
  sign: string | undefined,
  digits: string,
  unit: string | undefined,
  byte: string | undefined,
): number {
  let value = Number(digits);
  if (unit === 'dB') {
    // The sign belongs to the decibels: -6dB is about 0.5.
    value = 10 ** ((sign === '-' ? -value : value) / 20);
    return byte === undefined ? value : value * 8;
  }
  if (unit !== undefined) {
    const power = PREFIXES[unit.charAt(0)] ?? 0;
    // Dividing by a power of ten is exact, but multiplying by 1e-3 is not.
    if (unit.length === 2) value *= 2 ** ((power / 3) * 10);
    else value = power < 0 ? value / 10 ** -power : value * 10 ** power;
  }
  if (byte !== undefined) value *= 8;
  return sign === '-' ? -value : value;
}

/** The largest even number of pixels that is not above `pixels`, and at least 2. Pictures with half as many colours need it. */
export const evenBelow = (pixels: number): number => Math.max(2, 2 * Math.floor(pixels / 2));

/** The even width for an odd one beside a height: the one below, or the one above if that is nearer to 16:9, as 854 is for 853x480. */
export function evenWidth(width: number, height: number): number {
  const below = evenBelow(width);
  const distance = (one: number): number => Math.abs(one / evenBelow(height) - 16 / 9);
  return below < width && distance(width) < 0.01 && distance(below + 2) < distance(below) ? below + 2 : below;
}
