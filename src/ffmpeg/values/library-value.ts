import type { LibraryRule } from '../allowlist/encoder-enums.ts';
import { readNumber } from './number.ts';
import { fixForRange } from './range.ts';
import { badValue, ofPart, quoted, type ValueError } from './value-error.ts';

/** Checks a value that ffmpeg passes to an encoder library without checking it completely. */
export function checkLibraryValue(
  key: string,
  value: string,
  encoder: string,
  rule: LibraryRule,
): ValueError | undefined {
  if (rule.takes === 'words') {
    if (rule.also?.test(value) === true) return undefined;
    const broken = rule.broken?.find((one) => one.words.test(value));
    if (broken !== undefined) {
      const { why, fix } = broken;
      return {
        code: 'BAD_VALUE',
        message: `"${key}" of ${encoder} cannot be ${quoted(value)}: ${why}.`,
        allowed: rule.words,
        fix,
      };
    }
    const parts = rule.joined === undefined ? [value] : value.split(rule.joined);
    const wrong = parts.find((part) => !rule.words.includes(part));
    if (wrong === undefined) return undefined;
    const error = badValue(`"${key}" of ${encoder} does not accept ${quoted(wrong)}.`, wrong, {
      names: rule.words,
      fix: nearestNumber(wrong, rule.words),
    });
    return wrong === value ? error : ofPart(error, wrong);
  }
  const number = readNumber(value);
  if (number === undefined || (number >= rule.min && number <= rule.max)) return undefined;
  const [min = rule.min, max = rule.max] = rule.usual.split(' to ').map(Number);
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" of ${encoder} must be ${rule.usual}, not ${quoted(value)}.`,
    allowed: [rule.usual],
    fix: fixForRange(value, number, { min, max }, true),
  };
}

/** The closest word by number: 4.2 for level 4.3, not 1.3. Returns undefined if `value` is not a number. */
function nearestNumber(value: string, words: readonly string[]): string | undefined {
  const number = Number(value);
  const numbers = words.filter((word) => word !== '' && Number.isFinite(Number(word)));
  if (!Number.isFinite(number) || numbers.length < 2) return undefined;
  return numbers.toSorted((a, b) => Math.abs(Number(a) - number) - Math.abs(Number(b) - number))[0];
}
