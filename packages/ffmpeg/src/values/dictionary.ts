import { readToken } from './token.ts';
import { badValue, quoted, type ValueError } from './value-error.ts';

/**
 * Splits a dictionary into pairs as libavutil does (av_dict_parse_string). A backslash or quotes escape a separator. Spaces around names
 * and values are ignored. undefined: a name, its "=" or its value is missing, or a quote is not closed.
 */
export function readDictionary(value: string): readonly (readonly [string, string])[] | undefined {
  const pairs: [string, string][] = [];
  for (let at = 0; at < value.length; ) {
    const name = readToken(value, at, '=');
    if ('error' in name || name.text === '' || name.end >= value.length) return undefined;
    const pairValue = readToken(value, name.end + 1, ':');
    if ('error' in pairValue || pairValue.text === '') return undefined;
    pairs.push([name.text, pairValue.text]);
    at = pairValue.end + 1;
  }
  return pairs;
}

export function checkDictionary(key: string, value: string): ValueError | undefined {
  if (readDictionary(value) !== undefined) return undefined;
  return badValue(
    `"${key}" must be a list of "name=value" joined by ":"; a name, its "=" or its value is missing in ${quoted(value)}.`,
    value,
    { shapes: ['name=value:name=value'] },
  );
}
