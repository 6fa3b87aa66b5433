import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';
import { checkExpandedText } from './expanded-text.ts';
import { checkKnownWords } from './known-words.ts';

/** Words, numbers and what stands between them. */
const LIST = /^[\w\s.,:;|/+\-*#%@=<>!?~&()^]*$/;

/** What an option of a filter holds that is text to ffmpeg. `option`: as the help has it, if it has. */
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
        message: `The option "${key}" of the filter "${filter}" can name a file of the host, or was not reviewed, so it cannot be sent.`,
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
    : badValue(`"${shown}" is made of words and numbers, and ${quoted(value)} holds something else.`, value, {});

/** A error of an expression as one of the option that holds it. */
export function toValueError(shown: string, value: string, error: ExpressionError | undefined): ValueError | undefined {
  if (error === undefined) return undefined;
  return {
    ...badExpression(shown, value, error),
    fix:
      error.fix ??
      'Send numbers, the names that the filter documents, operators and functions such as if, min and gte.',
  };
}
