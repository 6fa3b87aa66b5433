import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import type { GraphOption } from './graph.ts';
import { readToken } from './token.ts';

/** Expansions of drawtext that evaluate their first argument. */
const EVALUATES: ReadonlySet<string> = new Set(['e', 'expr', 'eif', 'expr_int_format', 'ef']);

const RAND: ReadonlySet<string> = new Set(['rand']);

/**
 * Checks text that drawtext expands: `%{pts}`, `%{metadata:title}`, `%{eif:n*2:d}`. Parsed like `ff_expand_text`
 * (drawtext.c): a backslash escapes the next character.
 */
export function checkExpandedText(text: string): ExpressionError | undefined {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '%') {
      if (text.charAt(at + 1) !== '{')
        return { error: 'contains a "%" without "{"', fix: 'Send "\\\\%" for a percent sign in expanded text.' };
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

/**
 * Whether the `expansion` options of a drawtext filter turn expressions off, so that its text is literal or for
 * strftime(3).
 */
export const disablesExpansion = (expansions: readonly GraphOption[]): boolean =>
  expansions.length > 0 && expansions.every(({ value }) => value === 'none' || value === 'strftime');

/**
 * Adds `expansion=none` to a drawtext with a text file, because ffmpeg would evaluate the unchecked text by default.
 * Returns an error if the request asks for expansion.
 */
export function disableFileExpansion(
  options: readonly GraphOption[],
): readonly GraphOption[] | Required<ExpressionError> {
  if (!options.some(({ key }) => key === 'textfile')) return options;
  const expansions = options.filter(({ key }) => key === 'expansion');
  if (expansions.length === 0) return [...options, { key: 'expansion', value: 'none' }];
  if (disablesExpansion(expansions)) return options;
  return {
    error: 'would evaluate expressions in the text file',
    fix: 'Send expansion=none with "textfile", or send the text in "text".',
  };
}

type Arguments = { readonly words: readonly string[]; readonly end: number } | ExpressionError;

/** Reads arguments up to the closing brace at `end`. */
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
