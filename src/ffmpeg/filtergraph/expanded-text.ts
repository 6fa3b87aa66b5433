import { checkExpression, type ExpressionError } from '../expression/expression.ts';
import type { GraphOption } from './graph.ts';
import { readToken } from './token.ts';

/** Of what drawtext expands, that which evaluates its first argument. */
const EVALUATES: ReadonlySet<string> = new Set(['e', 'expr', 'eif', 'expr_int_format', 'ef']);

const RAND: ReadonlySet<string> = new Set(['rand']);

/**
 * Whether what drawtext writes may be expanded: `%{pts}`, `%{metadata:title}`, `%{eif:n*2:d}`. Read as `ff_expand_text`
 * reads it (drawtext.c): a backslash takes the next character as it is.
 */
export function checkExpandedText(text: string): ExpressionError | undefined {
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '%') {
      if (text.charAt(at + 1) !== '{')
        return { error: 'holds a lone "%"', fix: 'Send "\\\\%" for a per cent sign in text that is expanded.' };
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

/** Whether these options `expansion` of a drawtext, at least one, leave its text as it is, or to strftime(3). */
export const disablesExpansion = (expansions: readonly GraphOption[]): boolean =>
  expansions.length > 0 && expansions.every(({ value }) => value === 'none' || value === 'strftime');

/**
 * The options of a drawtext, so that the text of a file, which was not checked, is written as it is; or why not. To
 * expand it is what ffmpeg does unless told.
 */
export function disableFileExpansion(
  options: readonly GraphOption[],
): readonly GraphOption[] | Required<ExpressionError> {
  if (!options.some(({ key }) => key === 'textfile')) return options;
  const expansions = options.filter(({ key }) => key === 'expansion');
  if (expansions.length === 0) return [...options, { key: 'expansion', value: 'none' }];
  if (disablesExpansion(expansions)) return options;
  return {
    error: 'would evaluate what the text file holds',
    fix: 'Send expansion=none with "textfile", or the text itself in "text".',
  };
}

type Arguments = { readonly words: readonly string[]; readonly end: number } | ExpressionError;

/** Up to the closing brace, whose offset is `end`. */
function readArguments(text: string, from: number): Arguments {
  const words: string[] = [];
  let at = from;
  for (;;) {
    const token = readToken(text, at, ':}');
    if ('error' in token) return { error: `is no text to expand: ${token.error.toLowerCase()}` };
    words.push(token.text);
    if (token.end === text.length) return { error: 'holds "%{" without its "}"' };
    if (text.charAt(token.end) === '}') return { words, end: token.end };
    at = token.end + 1;
  }
}
