import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { badExpression, badValue, quoted, sendInstead, type ValueError } from '../values/value-error.ts';
import { checkExpandedText } from './expanded-text.ts';
import { checkKnownWords } from './known-words.ts';

/** Words, numbers and separators. */
const LIST = /^[\w\s.,:;|/+\-*#%@=<>!?~&()^]*$/;

/** Checks a text option of a filter. `option` is its entry in ffmpeg's help, if there is one. */
export function checkFilterText(
  filter: string,
  key: string,
  value: string,
  catalogue: Catalogue,
  option: AvOption | undefined,
): ValueError | undefined {
  const text = filterText(filter, key);
  const shown = `${filter}=${key}`;
  switch (text?.kind) {
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `The option "${key}" of the filter "${filter}" is not allowed: it can name a file of the host, or was not reviewed.`,
        fix: 'Leave it out.',
      };
    case 'expression':
      return toValueError(shown, value, checkExpression(value, text.calls));
    case 'expressions': {
      const error = value
        .split('|')
        .map((one) => checkExpression(one, text.calls))
        .find((one) => one !== undefined);
      return toValueError(shown, value, error);
    }
    case 'list':
      return checkList(shown, value);
    case 'known':
      return checkList(shown, value) ?? checkKnownWords(shown, value, text, catalogue, option);
    case 'expanded':
      return checkExpanded(shown, value);
    case 'text':
      return undefined;
  }
}

/** A percent sign that begins no expansion is text, and needs a backslash. */
function checkExpanded(shown: string, value: string): ValueError | undefined {
  const error = toValueError(shown, value, checkExpandedText(value));
  const escaped = value.replaceAll(/(?<!\\)%(?!\{)/g, '\\%');
  if (error === undefined || escaped === value || checkExpandedText(escaped) !== undefined) return error;
  return { ...error, fix: sendInstead(escaped) };
}

const checkList = (shown: string, value: string): ValueError | undefined =>
  LIST.test(value)
    ? undefined
    : badValue(`"${shown}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value, {});

/** A number with a unit that no expression has. */
const UNIT = /(?<![\w.])(\d+(?:\.\d+)?)\s*(px|pixels?|fps|hz|khz|bps|sec(?:onds?)?|s|ms|deg|°|%)(?![\w])/gi;

/**
 * Turns an error in an expression into an error of its option. If the expression is valid without the units of its
 * numbers, the error names the unit and suggests the expression without units.
 *
 * @param isValid Whether another expression is valid for the option.
 */
export function toValueError(
  shown: string,
  value: string,
  error: ExpressionError | undefined,
  isValid: (other: string) => boolean = (other) => checkExpression(other) === undefined,
): ValueError | undefined {
  if (error === undefined) return undefined;
  const plain = value.replace(UNIT, '$1');
  const unit = value.match(UNIT)?.[0].replace(/^[\d.\s]+/, '');
  if (unit !== undefined && plain !== value && isValid(plain))
    return {
      code: 'BAD_EXPRESSION',
      message: `The value ${quoted(value)} of "${shown}" has the unit ${unit}, which ffmpeg does not know here.`,
      fix: sendInstead(plain),
    };
  return {
    ...badExpression(shown, value, error),
    fix:
      error.fix ??
      'Send numbers, names from the documentation of the filter, operators, and functions such as if, min and gte.',
  };
}
