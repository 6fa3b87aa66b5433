import { readRatio } from './number.ts';
import { suggestNumber } from './suggest-number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/** Checks a ratio: `16:9`, `1/25`, `1.778`. */
export function checkRatio(key: string, value: string): ValueError | undefined {
  const ratio = readRatio(value);
  if (ratio !== undefined && ratio >= 0) return undefined;
  const plain = value
    .replace(/\s/g, '')
    .replace(/,(?=\d+[:x×/])/i, '.')
    .replace(/[x×,]/i, ':');
  return badValue(`"${key}" must be a ratio, not ${quoted(value)}.`, value, {
    shapes: ['16:9', '1.778'],
    fix: readRatio(plain) === undefined ? suggestNumber(plain) : plain,
  });
}
