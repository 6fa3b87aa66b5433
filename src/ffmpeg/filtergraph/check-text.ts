import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';
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
      return toValueError(shown, value, checkExpandedText(value));
    case 'text':
      return undefined;
  }
}

const checkList = (shown: string, value: string): ValueError | undefined =>
  LIST.test(value)
    ? undefined
    : badValue(`"${shown}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value, {});

/** Turns an error in an expression into an error of its option. */
export function toValueError(shown: string, value: string, error: ExpressionError | undefined): ValueError | undefined {
  if (error === undefined) return undefined;
  return {
    ...badExpression(shown, value, error),
    fix:
      error.fix ??
      'Send numbers, names from the documentation of the filter, operators, and functions such as if, min and gte.',
  };
}
