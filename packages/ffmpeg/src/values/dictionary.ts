import { badValue, quoted, type ValueError } from './value-error.ts';

/**
 * Splits a dictionary into pairs as libavutil does (av_dict_parse_string). A backslash or quotes escape a separator. Spaces around names
 * and values are ignored. undefined: a name, its "=" or its value is missing.
 */
export function readDictionary(value: string, between = ':'): readonly (readonly [string, string])[] | undefined {
  const pairs: [string, string][] = [];
  for (let at = 0; at < value.length; ) {
    const name = token(value, at, '=');
    if (name.text === '' || name.end >= value.length) return undefined;
    const pairValue = token(value, name.end + 1, between);
    if (pairValue.text === '') return undefined;
    pairs.push([name.text, pairValue.text]);
    at = pairValue.end + 1;
  }
  return pairs;
}

/** Reads up to the first unescaped character of `ends`. `end`: the offset of that character. */
function token(value: string, from: number, ends: string): { readonly text: string; readonly end: number } {
  let text = '';
  let escapedLength = 0;
  let at = from;
  while (at < value.length && /\s/.test(value.charAt(at))) at += 1;
  while (at < value.length && !ends.includes(value.charAt(at))) {
    const letter = value.charAt(at);
    at += 1;
    if (letter === '\\' && at < value.length) {
      text += value.charAt(at);
      at += 1;
      escapedLength = text.length;
    } else if (letter === "'") {
      const end = value.indexOf("'", at);
      text += value.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? value.length : end + 1;
      escapedLength = text.length;
    } else text += letter;
  }
  return { text: text.slice(0, escapedLength) + text.slice(escapedLength).trimEnd(), end: at };
}

export function checkDictionary(key: string, value: string): ValueError | undefined {
  if (readDictionary(value) !== undefined) return undefined;
  return badValue(
    `"${key}" must be a list of "name=value" joined by ":"; a name, its "=" or its value is missing in ${quoted(value)}.`,
    value,
    { shapes: ['name=value:name=value'] },
  );
}
