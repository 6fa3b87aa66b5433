import { filterText } from '../allowlist/filter-text.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { AvOption } from '../catalogue/component.ts';
import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import { readToken } from '../values/token.ts';
import { badExpression, badValue, quoted, type ValueError } from '../values/value-error.ts';
import { checkKnownWords } from './known-words.ts';
import type { GraphOption } from './option-list.ts';

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
    : badValue(`"${shown}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value);

/** Turns an error in an expression into an error of its option. */
export const toValueError = (
  shown: string,
  value: string,
  error: ExpressionError | undefined,
): ValueError | undefined => error && badExpression(shown, value, error);

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
      if (text.charAt(at + 1) !== '{') return { error: 'contains a "%" without "{": a percent sign needs a backslash' };
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
  return { error: 'would evaluate expressions in the text file: "textfile" needs expansion=none' };
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
