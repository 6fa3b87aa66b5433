import { badValue, type ValueError } from './value-error.ts';

/**
 * Pairs of a dictionary as libavutil splits them (av_dict_parse_string): a backslash or a quote hides a sign, blanks at
 * the ends of a name or value mean nothing. undefined: a name, its "=" or its value is missing.
 */
export function readDictionary(value: string, between = ':'): readonly (readonly [string, string])[] | undefined {
  const pairs: [string, string][] = [];
  for (let at = 0; at < value.length; ) {
    const name = token(value, at, '=');
    if (name.text === '' || name.end >= value.length) return undefined;
    const held = token(value, name.end + 1, between);
    if (held.text === '') return undefined;
    pairs.push([name.text, held.text]);
    at = held.end + 1;
  }
  return pairs;
}

/** The text up to a sign of `ends` that is not hidden, and where that is. */
function token(value: string, from: number, ends: string): { readonly text: string; readonly end: number } {
  let text = '';
  let kept = 0;
  let at = from;
  while (at < value.length && /\s/.test(value.charAt(at))) at += 1;
  while (at < value.length && !ends.includes(value.charAt(at))) {
    const letter = value.charAt(at);
    at += 1;
    if (letter === '\\' && at < value.length) {
      text += value.charAt(at);
      at += 1;
      kept = text.length;
    } else if (letter === "'") {
      const end = value.indexOf("'", at);
      text += value.slice(at, end < 0 ? undefined : end);
      at = end < 0 ? value.length : end + 1;
      kept = text.length;
    } else text += letter;
  }
  return { text: text.slice(0, kept) + text.slice(kept).trimEnd(), end: at };
}

export function checkDictionary(key: string, value: string): ValueError | undefined {
  if (readDictionary(value) !== undefined) return undefined;
  return badValue(`"${key}" is a list of pairs, and a name, its "=" or its value is missing.`, value, {
    shapes: ['name=value:name=value'],
  });
}
