import { sendValue } from '@telecine/contract/domain/edit.ts';
import { isNeutralAtOne, wholeOf } from '@telecine/contract/domain/filter-values.ts';
import { type ExpressionNames, expressionNames } from '../allowlist/expression-names.ts';
import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';
import { checkKnownWords } from './known-words.ts';
import type { GraphOption } from './option-list.ts';
import { readToken } from './token.ts';

const LIST = /^[\w\s.,:;|/+\-*#%@=<>!?~&()^]*$/;

/** Checks an option of a filter that takes text. `option`: its entry in ffmpeg's help. undefined: the help lists no such option. */
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
    case 'known':
      return checkList(shown, value) ?? checkKnownWords(shown, value, text, catalogue, option);
    case 'expanded':
      return checkExpanded(shown, value);
    case 'text':
      return undefined;
  }
}

/** Checks an expression, and its names if the manual of the filter lists them. */
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

/** Checks text with expansions (`%{…}`). A percent sign that does not begin an expansion needs a backslash. */
function checkExpanded(shown: string, value: string): ValueError | undefined {
  const error = checkExpandedText(value);
  const escaped = value.replaceAll(/(?<!\\)%(?!\{)/g, '\\%');
  if (error === undefined || escaped === value || checkExpandedText(escaped) !== undefined)
    return toValueError(shown, value, error);
  return meantExpression(
    `The percent sign in ${quoted(value)} of "${shown}" needs a backslash; without it, it begins an expansion such as %{pts}.`,
    escaped,
  );
}

const meantExpression = (message: string, meant: string): ValueError => ({
  code: 'BAD_EXPRESSION',
  message,
  fix: sendValue(meant),
});

const checkList = (shown: string, value: string): ValueError | undefined =>
  LIST.test(value)
    ? undefined
    : badValue(`"${shown}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value, {});

/** Matches a number with a unit that ffmpeg's expressions do not have. */
const UNIT = /(?<![\w.])(\d+(?:\.\d+)?)\s*(px|pixels?|fps|hz|khz|bps|pts?|sec(?:onds?)?|s|ms|deg|°|%)(?![\w])/gi;

/** Options for an angle, which ffmpeg reads in radians. */
const RADIANS = /^(?:rotate|vignette)=(?:a|angle)$/;
const DEGREES = /^(?:deg|°)$/i;

const PERCENT = /(?<![\w.])(\d+(?:\.\d+)?)\s*(?:%|per ?cent\b|pct\b)/gi;

/** Matches a percentage with a sign: a change, such as `+50%`. */
const CHANGE = /^([-+]\d+(?:\.\d+)?)\s*(?:%|per ?cent|pct)$/i;

/**
 * Converts a percentage: `50%` to a share of the width or height, or to a factor; `+50%` to 1.5, if the option is a factor that changes
 * nothing at 1. undefined: no percentage.
 */
function fromPercent(shown: string, value: string): string | undefined {
  const [filter = '', option = ''] = shown.split('=');
  const [, change] = CHANGE.exec(value.trim()) ?? [];
  if (change !== undefined && isNeutralAtOne(filter, option))
    return String(Number(Math.max(0, 1 + Number(change) / 100).toPrecision(6)));
  const whole = wholeOf(filter, option);
  const meant = value.replace(PERCENT, (_all, digits: string, at: number) => {
    // In `iw*50%`, the percentage already refers to a size, so it becomes a factor.
    const isFactor = /[*/]/.test(value.slice(0, at).trimEnd().at(-1) ?? '') || whole === undefined;
    const factor = String(Number((Number(digits) / 100).toPrecision(6)));
    return isFactor ? factor : `${whole}*${factor}`;
  });
  return meant === value ? undefined : meant;
}

const COMPARISONS: Readonly<Record<string, string>> = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '==': 'eq' };

/** Converts a comparison such as `scene>0.4` to a function call, `gt(scene,0.4)`. undefined: no comparison. */
function fromComparison(value: string): string | undefined {
  const [, left = '', operator = '', right = ''] = /^([^<>=!,]+)(>=|<=|==|>|<)([^<>=!,]+)$/.exec(value) ?? [];
  const name = COMPARISONS[operator];
  return name === undefined ? undefined : `${name}(${left.trim()},${right.trim()})`;
}

/**
 * Turns an error in an expression into an error of its option. The fix is the expression without percentages, comparison operators or
 * units, if that is valid.
 *
 * @param isValid True if another expression is valid for the option.
 */
export function toValueError(
  shown: string,
  value: string,
  error: ExpressionError | undefined,
  isValid: (other: string) => boolean = (other) => checkExpression(other) === undefined,
): ValueError | undefined {
  if (error === undefined) return undefined;
  const subject = `The value ${quoted(value)} of "${shown}"`;
  const percent = fromPercent(shown, value);
  if (percent !== undefined && isValid(percent))
    return meantExpression(`${subject} is a percentage, which ffmpeg does not know here.`, percent);
  const compared = fromComparison(value);
  if (compared !== undefined && isValid(compared))
    return meantExpression(`${subject} compares by an operator. Expressions compare by functions.`, compared);
  const plain = value.replace(UNIT, (_all, digits: string, unit: string) =>
    RADIANS.test(shown) && DEGREES.test(unit) ? `${digits}*PI/180` : digits,
  );
  const unit = value.match(UNIT)?.[0].replace(/^[\d.\s]+/, '');
  if (unit !== undefined && plain !== value && isValid(plain))
    return meantExpression(`${subject} has the unit ${unit}, which ffmpeg does not know here.`, plain);
  return badExpression(shown, value, error);
}

/** Matches a name in an expression, but no name of a function. */
const NAME = /(?<![\w.])[a-z_]\w*(?![\w]|\s*\()/gi;

/** Words that clients use for the width and height of a filter's input: `video_width`. Underscores are removed before the match. */
const SIDE =
  /^(?:in|input|video|frame|image|img|picture|pic|main|screen|source|src|orig|original|canvas|base)?(?:(w|width)|h|height)$/;
/**
 * Words that clients use for the width and height of what a filter draws or outputs: `text_width`. Underscores are removed before the
 * match.
 */
const OWN_SIDE = /^(?:out|output|crop|text|txt|overlay|logo|watermark|box)(?:(w|width)|h|height)$/;

/** Replaces words by names that the filter knows: `width/2` becomes `iw/2`. A word that may mean several things stays. */
const withKnownNames = (value: string, known: ExpressionNames): string =>
  value.replaceAll(NAME, (word) => (known.names.has(word) ? word : (meantName(word, known) ?? word)));

function meantName(word: string, { names, size, own }: ExpressionNames): string | undefined {
  const bare = word.toLowerCase().replaceAll('_', '');
  for (const [pattern, sides] of [
    [OWN_SIDE, own],
    [SIDE, size],
  ] as const) {
    const side = pattern.exec(bare);
    if (side !== null) return sides?.[side[1] === undefined ? 1 : 0];
  }
  const other = /^(?:time|timestamp|seconds?|secs?)$/.test(bare)
    ? 't'
    : /^frames?(?:n|nr|no|num|number|index)?$/.test(bare)
      ? 'n'
      : undefined;
  return [other, word.toLowerCase()].find((one) => one !== undefined && names.has(one));
}

/** Expansions of drawtext that evaluate their first argument as an expression: `%{eif:n*2:d}`. */
const EVALUATES: ReadonlySet<string> = new Set(['e', 'expr', 'eif', 'expr_int_format', 'ef']);

const RAND: ReadonlySet<string> = new Set(['rand']);

/**
 * Checks text with expansions of drawtext: `%{pts}`, `%{metadata:title}`, `%{eif:n*2:d}`. A backslash escapes the next character, as in
 * `ff_expand_text` (drawtext.c).
 */
function checkExpandedText(text: string): ExpressionError | undefined {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '%') {
      if (text.charAt(at + 1) !== '{') return { error: 'contains a "%" without "{" ("\\\\%" is a percent sign)' };
      const read = readArguments(text, at + 2);
      if ('error' in read) return read;
      const [name = '', first = ''] = read.words;
      const error = EVALUATES.has(name) ? checkExpression(first, RAND) : undefined;
      if (error !== undefined) return error;
      at = read.end;
    }
  }
  return undefined;
}

/** True if `expansion` turns expressions off: the text is literal, or a format for strftime(3). */
export const disablesExpansion = (expansions: readonly GraphOption[]): boolean =>
  expansions.length > 0 && expansions.every(({ value }) => value === 'none' || value === 'strftime');

/**
 * Adds `expansion=none` to a drawtext with a text file, whose text nobody checks. Without it, ffmpeg would evaluate expressions in this
 * text. Returns an error if the request sets another expansion.
 */
export function disableFileExpansion(options: readonly GraphOption[]): readonly GraphOption[] | ExpressionError {
  if (!options.some(({ key }) => key === 'textfile')) return options;
  const expansions = options.filter(({ key }) => key === 'expansion');
  if (expansions.length === 0) return [...options, { key: 'expansion', value: 'none' }];
  if (disablesExpansion(expansions)) return options;
  return { error: 'would evaluate expressions in the text file, unless "expansion" is "none"' };
}

type Arguments = { readonly words: readonly string[]; readonly end: number } | ExpressionError;

/** Reads the arguments of an expansion. `end`: the offset of its closing brace. */
function readArguments(text: string, from: number): Arguments {
  const words: string[] = [];
  let at = from;
  for (;;) {
    const token = readToken(text, at, ':}');
    if ('error' in token) return { error: `cannot be expanded: ${token.error.toLowerCase()}` };
    words.push(token.text);
    if (token.end === text.length) return { error: 'contains "%{" without "}"' };
    if (text.charAt(token.end) === '}') return { words, end: token.end };
    at = token.end + 1;
  }
}
