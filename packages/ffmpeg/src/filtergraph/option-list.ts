import type { TextSpan } from '@telecine/contract/domain/problem.ts';
import { quoteToken, readToken, skipSpaces, trailingSpaces } from './token.ts';

/**
 * Matches a key like `av_opt_get_key_value`. A value without a key is positional. The pattern does not include leading spaces, because two
 * runs of spaces take quadratic time.
 */
const KEY = /([\w\-/.]*)[ \n\t\r]*=/y;

/** The position of an option in a list of options. */
export interface OptionSpans {
  /** The span of the key. undefined for a positional option. */
  readonly key?: TextSpan;
  readonly value: TextSpan;
}

/**
 * Parses the options of one filter or bitstream filter (`1:b=2`). The caller has already removed the outer quotes.
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
    if (key === undefined && named)
      return { error: 'A value without a name follows a named option', at: start, options: joinUnnamed(text) };
    const from = key === undefined ? position : KEY.lastIndex;
    const value = readToken(text, from, ':');
    if ('error' in value) return value;
    spans?.push({ ...(key !== undefined && { key: spanOf(start, key) }), value: trimmedSpan(text, from, value.end) });
    named ||= key !== undefined;
    options.push(key === undefined ? { value: value.text } : { key, value: value.text });
    // A colon at the very end does not start another option. ffmpeg behaves in the same way.
    position = value.end + 1;
  }
  return options;
}

const spanOf = (offset: number, { length }: string): TextSpan => ({ offset, length });

/** Returns the span from `from` to `to`, without the spaces at both ends. */
export function trimmedSpan(text: string, from: number, to: number): TextSpan {
  const offset = Math.min(skipSpaces(text, from), to);
  const part = text.slice(offset, to);
  return { offset, length: part.length - trailingSpaces(part).length };
}

/** Prints options so that `parseOptionList` reads the same options. If the last option is empty, a final colon keeps it. */
export function printOptionList(options: readonly GraphOption[]): string {
  const printed = options.map(printOption);
  return printed.at(-1) === '' ? `${printed.join(':')}:` : printed.join(':');
}

/** Prints an option. Quotes equals signs in a positional value, because they would look like `key=`. */
const printOption = ({ key, value }: GraphOption): string =>
  key === undefined ? quoteToken(value, ':=') : `${key}=${quoteToken(value, ':')}`;

/** A syntax error, as a sentence without a full stop. */
interface OptionListError {
  readonly error: string;
  /** The offset of the error in the text. */
  readonly at: number;
  /** The options if each colon before an unnamed value is part of the previous value: `text=12:30`. */
  readonly options?: readonly GraphOption[] | undefined;
}

function joinUnnamed(text: string): readonly GraphOption[] | undefined {
  const options: GraphOption[] = [];
  let position = 0;
  /** The spaces after the last value. If a colon joins another value, they belong to the text. */
  let spaces = '';
  while (position < text.length) {
    const start = skipSpaces(text, position);
    KEY.lastIndex = start;
    const key = KEY.exec(text)?.[1];
    if (key === '') return undefined;
    const value = readToken(text, key === undefined ? position : KEY.lastIndex, ':');
    if ('error' in value) return undefined;
    const before = options.at(-1);
    if (key !== undefined) options.push({ key, value: value.text });
    else if (before?.key === undefined) options.push({ value: value.text });
    else {
      const joined = `${before.value}${spaces}:${text.slice(position, start)}${value.text}`;
      options.splice(-1, 1, { key: before.key, value: joined });
    }
    spaces = trailingSpaces(text.slice(position, value.end));
    position = value.end + 1;
  }
  return options;
}

/** An option of a filter in the form that the client wrote. `scale=640:h=-2` has a positional and a named option. */
export interface GraphOption {
  /** The name of the option. undefined for a positional option: the filter determines its name. */
  readonly key?: string;
  /** The value. The quotes and backslashes of both levels are removed. */
  readonly value: string;
}
