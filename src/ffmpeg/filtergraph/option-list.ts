import type { GraphOption } from './graph.ts';
import { quoteToken, readToken, skipSpaces } from './token.ts';

/**
 * `av_opt_get_key_value`: a key is letters, digits and `-_/.` before an equals sign; without one the value is positional.
 * Spaces before it are skipped first: two runs of them in one expression take time by the square of their length.
 */
const KEY = /([\w\-/.]*)[ \n\t\r]*=/y;

/** The options of one filter or bitstream filter, `1:b=2`, once the quoting around them is undone; or why they are none. */
export function parseOptionList(text: string): readonly GraphOption[] | { readonly error: string } {
  const options: GraphOption[] = [];
  let position = 0;
  let named = false;
  while (position < text.length) {
    KEY.lastIndex = skipSpaces(text, position);
    const key = KEY.exec(text)?.[1];
    if (key === '') return { error: 'The name of an option is missing before "="' };
    if (key === undefined && named) return { error: 'A value without a name comes after one with a name' };
    const value = readToken(text, key === undefined ? position : KEY.lastIndex, ':');
    if ('error' in value) return value;
    named ||= key !== undefined;
    options.push(key === undefined ? { value: value.text } : { key, value: value.text });
    // A colon at the very end is followed by nothing, as in ffmpeg.
    position = value.end + 1;
  }
  return options;
}

/** One fixed spelling that `readOptionList` reads back. A last option that prints as nothing needs a colon to be seen. */
export function printOptionList(options: readonly GraphOption[]): string {
  const printed = options.map(printOption);
  return printed.at(-1) === '' ? `${printed.join(':')}:` : printed.join(':');
}

/** A positional value that looks like `key=` would be read as one, so its equals signs are quoted. */
const printOption = ({ key, value }: GraphOption): string =>
  key === undefined ? quoteToken(value, ':=') : `${key}=${quoteToken(value, ':')}`;
