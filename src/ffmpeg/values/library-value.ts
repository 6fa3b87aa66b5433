import type { LibraryRule } from '../allowlist/encoder-enums.ts';
import { readNumber } from './number.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/** A value that ffmpeg hands to an encoder library as it is. `encoder` is named in the message. */
export function checkLibraryValue(
  key: string,
  value: string,
  encoder: string,
  rule: LibraryRule,
): ValueError | undefined {
  if (rule.takes === 'words') {
    if (rule.also?.test(value) === true) return undefined;
    const parts = rule.joined === undefined ? [value] : value.split(rule.joined);
    const wrong = parts.find((part) => !rule.words.includes(part));
    if (wrong === undefined) return undefined;
    return badValue(`${encoder} knows no "${key}" named ${quoted(wrong)}.`, wrong, {
      names: rule.words,
      fix: nearestFigure(wrong, rule.words),
    });
  }
  const number = readNumber(value);
  if (number === undefined || (number >= rule.min && number <= rule.max)) return undefined;
  return {
    code: 'OUT_OF_RANGE',
    message: `"${key}" of ${encoder} is ${rule.usual}, and ${quoted(value)} is outside.`,
    allowed: [rule.usual],
    fix: `Send "${rule.usual.split(' to ')[number > rule.max ? 1 : 0]}".`,
  };
}

/** Of levels and their kind the nearest by figure: 4.2 for 4.3, and not 1.3. undefined: it is no figure. */
function nearestFigure(value: string, words: readonly string[]): string | undefined {
  const figure = Number(value);
  const figures = words.filter((word) => word !== '' && Number.isFinite(Number(word)));
  if (!Number.isFinite(figure) || figures.length < 2) return undefined;
  return figures.toSorted((a, b) => Math.abs(Number(a) - figure) - Math.abs(Number(b) - figure))[0];
}
