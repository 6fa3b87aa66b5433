import { avText, NESTED_OPTIONS, RATE_FUNCTIONS } from '../allowlist/av-text.ts';
import { MUXERS } from '../allowlist/containers.ts';
import { checkExpression } from '../expression/expression.ts';
import { readDictionary } from './dictionary.ts';
import { checkHexKey } from './hex-key.ts';
import { badExpression, badValue, ofPart, quoted, type ValueError } from './value-error.ts';

/** Muxers that write several files, and so cannot be the format of one segment. */
const NESTING: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/** Matches words without a slash, which could make a path. A slash is allowed only between digits, as in a ratio. */
const WORDS = /^(?:[\w.,:+\-=|#@ ]|(?<=\d)\/(?=\d))*$/;
const LINK = /^[\x21-\x7e]*$/;

/**
 * Checks the text of the AVOption `name`. `key`: the option as sent. Parameters of an encoder library (`x264-params`) are not checked here,
 * because the encoder is not known yet.
 */
export function checkAvText(key: string, name: string, value: string): ValueError | undefined {
  switch (avText(name)) {
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `The option "${name}" is not allowed: it can name files or URLs, or was not reviewed.`,
      };
    case 'words':
      return checkWords(key, value);
    case 'key':
      return checkHexKey(key, name, value);
    case 'format':
      if (MUXERS.has(value) && !NESTING.has(value)) return undefined;
      return badValue(`"${key}" must be a supported segment format, not ${quoted(value)}.`, value, {
        names: ['mpegts', 'mp4', 'matroska', 'webm', 'adts', 'mp3'],
      });
    case 'link':
      return LINK.test(value)
        ? undefined
        : badValue(`"${key}" must be a URL without spaces, not ${quoted(value)}.`, value);
    case 'expression': {
      const error = checkExpression(value, RATE_FUNCTIONS);
      return error && badExpression(key, value, error);
    }
    case 'nested':
      return checkNested(key, value);
    case 'params':
    case 'text':
      return undefined;
  }
}

const checkWords = (key: string, value: string): ValueError | undefined =>
  WORDS.test(value)
    ? undefined
    : badValue(`"${key}" may contain only words and numbers; ${quoted(value)} contains other characters.`, value);

function checkNested(key: string, list: string): ValueError | undefined {
  const pairs = readDictionary(list);
  if (pairs === undefined)
    return badValue(`"${key}" must be a list of "option=value" joined by ":", not ${quoted(list)}.`, list, {
      shapes: ['movflags=+faststart'],
    });
  for (const [name, value] of pairs) {
    if (!NESTED_OPTIONS.has(name))
      return ofPart(
        badValue(`"${key}" does not accept the option ${quoted(name)}.`, name, { names: NESTED_OPTIONS }),
        name,
      );
    if (!WORDS.test(value))
      return badValue(`"${name}" in "${key}" must be a number or flags, not ${quoted(value)}.`, value);
  }
  return undefined;
}
