import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import { quoteToken, readToken, skipSpaces, trailingSpaces } from '../values/token.ts';

/**
 * Matches the key of an option, as `av_opt_get_key_value` does. A value without a key is positional. Leading spaces are not in the pattern,
 * because two runs of spaces take quadratic time.
 */
const KEY = /([\w\-/.]*)[ \n\t\r]*=/y;

export interface OptionSpans {
  /** undefined for a positional option. */
  readonly key?: TextSpan;
  readonly value: TextSpan;
}

/**
 * Parses the options of one filter or bitstream filter (`1:b=2`), without the outer quotes.
 *
 * @param spans Receives the position of each option in `text`.
 */
export function parseOptionList(text: string, spans?: OptionSpans[]): readonly GraphOption[] | OptionListError {
  const options: GraphOption[] = [];
  let position = 0;
  let named = false;
  while (position < text.length) {
    const start = skipSpaces(text, position);
    KEY.lastIndex = start;
    const key = KEY.exec(text)?.[1];
    if (key === '') return { error: 'An option name is missing before "="', at: start };
    if (key === undefined && named) return { error: 'A value without a name follows a named option', at: start };
    const from = key === undefined ? position : KEY.lastIndex;
    const value = readToken(text, from, ':');
    if ('error' in value) return value;
    spans?.push({ ...(key !== undefined && { key: spanOf(start, key) }), value: trimmedSpan(text, from, value.end) });
    named ||= key !== undefined;
    options.push(key === undefined ? { value: value.text } : { key, value: value.text });
    // As in ffmpeg, a colon at the very end does not start another option.
    position = value.end + 1;
  }
  return options;
}

const spanOf = (offset: number, { length }: string): TextSpan => ({ offset, length });

/** The span from `from` to `to` without the spaces at both ends. */
export function trimmedSpan(text: string, from: number, to: number): TextSpan {
  const offset = Math.min(skipSpaces(text, from), to);
  const part = text.slice(offset, to);
  return { offset, length: part.length - trailingSpaces(part).length };
}

/** Prints options for `parseOptionList`. If the last option is empty, a colon at the end keeps it. */
export function printOptionList(options: readonly GraphOption[]): string {
  const printed = options.map(printOption);
  return printed.at(-1) === '' ? `${printed.join(':')}:` : printed.join(':');
}

/** Prints an option. In a positional value, equals signs are quoted, because `a=` would look like a key. */
const printOption = ({ key, value }: GraphOption): string =>
  key === undefined ? quoteToken(value, ':=') : `${key}=${quoteToken(value, ':')}`;

/** A syntax error, as a sentence without a full stop. */
interface OptionListError {
  readonly error: string;
  readonly at: number;
}

/** An option of a filter as the client wrote it. In `scale=640:h=-2`, the first is positional, the second has a name. */
export interface GraphOption {
  /** undefined for a positional option, whose name depends on the filter. */
  readonly key?: string;
  /** Without the quotes and backslashes of both levels (graph and options). */
  readonly value: string;
}
