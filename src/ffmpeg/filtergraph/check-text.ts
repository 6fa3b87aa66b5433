import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionFault } from '../expression/expression.ts';
import { badExpression, badValue, type Fault, quoted } from '../values/fault.ts';
import { checkExpandedText } from './expanded-text.ts';
import { checkKnownWords } from './known-words.ts';

/** Words, numbers and what stands between them. */
const LIST = /^[\w\s.,:;|/+\-*#%@=<>!?~&()^]*$/;

/** What an option of a filter holds that is text to ffmpeg. `option`: as the help has it, if it has. */
export function checkText(
  filter: string,
  key: string,
  value: string,
  catalogue: Catalogue,
  option: AvOption | undefined,
): Fault | undefined {
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
      return asFault(shown, value, checkExpression(value, text.calls));
    case 'expressions': {
      const fault = value
        .split('|')
        .map((one) => checkExpression(one, text.calls))
        .find((one) => one !== undefined);
      return asFault(shown, value, fault);
    }
    case 'list':
      return checkList(shown, value);
    case 'known':
      return checkList(shown, value) ?? checkKnownWords(shown, value, text, catalogue, option);
    case 'expanded':
      return asFault(shown, value, checkExpandedText(value));
    case 'text':
      return undefined;
  }
}

const checkList = (shown: string, value: string): Fault | undefined =>
  LIST.test(value)
    ? undefined
    : badValue(`"${shown}" is made of words and numbers, and ${quoted(value)} holds something else.`, value, {});

/** A fault of an expression as one of the option that holds it. */
export function asFault(shown: string, value: string, fault: ExpressionFault | undefined): Fault | undefined {
  if (fault === undefined) return undefined;
  return {
    ...badExpression(shown, value, fault),
    fix:
      fault.fix ??
      'Send numbers, the names that the filter documents, operators and functions such as if, min and gte.',
  };
}
