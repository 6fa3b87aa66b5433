import type { AvOption } from '../catalogue/component.ts';
import { type Constants, readNumber, readRatio } from './number.ts';
import { isInRange, nearestBound, rangeText } from './range.ts';
import { suggestNumber } from './suggest-number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/** Words that every number, and every set of flags, takes. */
export const GENERIC_CONSTANTS: ReadonlySet<string> = new Set(['default', 'max', 'min', 'none', 'all']);

/**
 * The number that `option` takes from `value`, named constants included. NaN: it is one whose figure the help does not
 * tell, such as "default". undefined: it is none.
 */
function readAvNumber(option: AvOption, value: string): number | undefined {
  const exact = option.constants.find(({ name }) => name === value);
  if (exact !== undefined) return exact.value ?? Number.NaN;
  if (GENERIC_CONSTANTS.has(value)) return Number.NaN;
  return (option.type === 'rational' ? readRatio : readNumber)(value, constantsOf(option));
}

/** What names stand for inside a sum. One whose value the help does not tell is taken for the lowest bound. */
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

/** A number, or a word that stands for one. */
export function checkAvNumber(key: string, option: AvOption, value: string): ValueError | undefined {
  const read = readAvNumber(option, value);
  const words = option.constants.map(({ name }) => name);
  const range = rangeText(option);
  const shapes = range === undefined ? ['a number'] : [range];
  if (read === undefined)
    return badValue(
      words.length === 0
        ? `"${key}" is a number, and ${quoted(value)} is none.`
        : `"${key}" knows no ${quoted(value)}.`,
      value,
      { shapes, names: words, fix: suggestNumber(value) },
    );
  if (Number.isNaN(read) || isInRange(read, option)) return undefined;
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" is ${range}, and ${quoted(value)} is outside.`,
    allowed: [...shapes, ...words.slice(0, 19)],
    fix: `Send "${nearestBound(read, option)}".`,
  };
}
