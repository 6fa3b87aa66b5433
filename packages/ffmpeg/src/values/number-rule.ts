import { isInRange, knownUnits, outOfRange, type Range, rangeText } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

interface NumberRule extends Range {
  readonly whole: boolean;
}

/**
 * Checks a number and its range.
 *
 * @param number The number in `value`. undefined: `value` is not a number.
 */
export function checkNumberRule(
  key: string,
  value: string,
  number: number | undefined,
  rule: NumberRule,
): ValueError | undefined {
  const range = rangeText(rule, number);
  const shapes = [range ?? (rule.whole ? 'a whole number' : 'a number')];
  if (number === undefined || (rule.whole && !Number.isInteger(number)))
    return badValue(
      `"${key}" must be a ${rule.whole ? 'whole ' : ''}number, not ${quoted(value)}.${knownUnits(value)}`,
      value,
      { shapes },
    );
  if (isInRange(number, rule)) return undefined;
  return outOfRange(`"${key}" must be ${range}, not ${quoted(value)}.`, number, rule, shapes);
}
