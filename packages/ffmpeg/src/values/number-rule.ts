import { fixForRange, isInRange, type Range, rangeText } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

interface NumberRule extends Range {
  readonly whole: boolean;
}

/**
 * Checks a number and its range.
 *
 * @param number The number in `value`. undefined: `value` is not a number.
 * @param otherwise For the error if `value` is not a number: names that are also allowed, and the value that the client probably meant.
 */
export function checkNumberRule(
  key: string,
  value: string,
  number: number | undefined,
  rule: NumberRule,
  otherwise: () => { readonly names?: readonly string[]; readonly fix?: string | undefined },
): ValueError | undefined {
  const range = rangeText(rule, number);
  const shapes = [range ?? (rule.whole ? 'a whole number' : 'a number')];
  if (number === undefined || (rule.whole && !Number.isInteger(number)))
    return badValue(`"${key}" must be a ${rule.whole ? 'whole ' : ''}number, not ${quoted(value)}.`, value, {
      shapes,
      ...otherwise(),
    });
  if (isInRange(number, rule)) return undefined;
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" must be ${range}, not ${quoted(value)}.`,
    allowed: shapes,
    fix: fixForRange(value, number, rule, rule.whole),
  };
}
