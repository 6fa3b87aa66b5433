import { sendValue } from '../../domain/edit.ts';
import { isNeutralAtOne, wholeOf } from '../../domain/filter-values.ts';
import { expressionNames } from '../allowlist/expression-names.ts';
import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { withMeantValue } from '../values/meant-value.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';
import { checkExpandedText } from './expanded-text.ts';
import { checkKnownWords } from './known-words.ts';
import { withKnownNames } from './meant-names.ts';

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
        fix: `Leave "${key}" out.`,
      };
    case 'expression':
      return checkNamed(filter, shown, value, text.calls);
    case 'expressions': {
      const error = value
        .split('|')
        .map((one) => checkExpression(one, text.calls))
        .find((one) => one !== undefined);
      return toValueError(shown, value, error);
    }
    case 'list':
      return checkList(shown, value);
    case 'known': {
      const check = (one: string): ValueError | undefined =>
        checkList(shown, one) ?? checkKnownWords(shown, one, text, catalogue, option);
      const error = check(value);
      return error && withMeantValue([shown], value, error, check);
    }
    case 'expanded':
      return checkExpanded(shown, value);
    case 'text':
      return undefined;
  }
}

/** An expression, whose names are checked if the manual of the filter lists them. */
function checkNamed(filter: string, shown: string, value: string, calls: ReadonlySet<string>): ValueError | undefined {
  const known = expressionNames(filter);
  const check = (one: string): ExpressionError | undefined => checkExpression(one, calls, known?.names);
  const error = check(value);
  if (error === undefined) return undefined;
  const meant = known === undefined ? value : withKnownNames(value, known);
  return meant !== value && check(meant) === undefined
    ? { ...badExpression(shown, value, error), fix: sendValue(meant) }
    : toValueError(shown, value, error, (one) => check(one) === undefined);
}

/** A percent sign that begins no expansion is text, and needs a backslash. */
function checkExpanded(shown: string, value: string): ValueError | undefined {
  const error = checkExpandedText(value);
  const escaped = value.replaceAll(/(?<!\\)%(?!\{)/g, '\\%');
  if (error === undefined || escaped === value || checkExpandedText(escaped) !== undefined)
    return toValueError(shown, value, error);
  return {
    code: 'BAD_EXPRESSION',
    message: `The percent sign in ${quoted(value)} of "${shown}" needs a backslash: it begins an expansion.`,
    fix: sendValue(escaped),
  };
}

const checkList = (shown: string, value: string): ValueError | undefined =>
  LIST.test(value)
    ? undefined
    : badValue(`"${shown}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value, {});

/** A number with a unit that no expression has. */
const UNIT = /(?<![\w.])(\d+(?:\.\d+)?)\s*(px|pixels?|fps|hz|khz|bps|pts?|sec(?:onds?)?|s|ms|deg|°|%)(?![\w])/gi;

/** Angles that ffmpeg reads in radians. */
const RADIANS = /^(?:rotate|vignette)=(?:a|angle)$/;
const DEGREES = /^(?:deg|°)$/i;

const PERCENT = /(?<![\w.])(\d+(?:\.\d+)?)\s*(?:%|per ?cent\b|pct\b)/gi;

/** A percentage with a sign: a change. */
const CHANGE = /^([-+]\d+(?:\.\d+)?)\s*(?:%|per ?cent|pct)$/i;

/** `50%` as a part of the width or height, or as a factor. `+50%` of a factor that changes nothing at 1 is 1.5. */
function fromPercent(shown: string, value: string): string | undefined {
  const [filter = '', option = ''] = shown.split('=');
  const [, change] = CHANGE.exec(value.trim()) ?? [];
  if (change !== undefined && isNeutralAtOne(filter, option))
    return String(Number(Math.max(0, 1 + Number(change) / 100).toPrecision(6)));
  const whole = wholeOf(filter, option);
  const meant = value.replace(PERCENT, (_all, digits: string, at: number) => {
    // In a product or a quotient, the whole is already there: `iw*50%`.
    const isFactor = /[*/]/.test(value.slice(0, at).trimEnd().at(-1) ?? '') || whole === undefined;
    const factor = String(Number((Number(digits) / 100).toPrecision(6)));
    return isFactor ? factor : `${whole}*${factor}`;
  });
  return meant === value ? undefined : meant;
}

const COMPARISONS: Readonly<Record<string, string>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq' };

/** `scene>0.4` as a call: `gt(scene,0.4)`. */
function fromComparison(value: string): string | undefined {
  const [, left = '', operator = '', right = ''] = /^([^<>=!,]+)(>=|<=|==|>|<)([^<>=!,]+)$/.exec(value) ?? [];
  const name = COMPARISONS[operator];
  return name === undefined ? undefined : `${name}(${left.trim()},${right.trim()})`;
}

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
  const percent = fromPercent(shown, value);
  if (percent !== undefined && isValid(percent))
    return {
      code: 'BAD_EXPRESSION',
      message: `The value ${quoted(value)} of "${shown}" is a percentage, which ffmpeg does not know here.`,
      fix: sendValue(percent),
    };
  const compared = fromComparison(value);
  if (compared !== undefined && isValid(compared))
    return {
      code: 'BAD_EXPRESSION',
      message: `The value ${quoted(value)} of "${shown}" compares by an operator. Expressions compare by functions.`,
      fix: sendValue(compared),
    };
  const plain = value.replace(UNIT, (_all, digits: string, unit: string) =>
    RADIANS.test(shown) && DEGREES.test(unit) ? `${digits}*PI/180` : digits,
  );
  const unit = value.match(UNIT)?.[0].replace(/^[\d.\s]+/, '');
  if (unit !== undefined && plain !== value && isValid(plain))
    return {
      code: 'BAD_EXPRESSION',
      message: `The value ${quoted(value)} of "${shown}" has the unit ${unit}, which ffmpeg does not know here.`,
      fix: sendValue(plain),
    };
  return {
    ...badExpression(shown, value, error),
    fix:
      error.fix ??
      'Send numbers, names from the documentation of the filter, operators, and functions such as if, min and gte.',
  };
}
