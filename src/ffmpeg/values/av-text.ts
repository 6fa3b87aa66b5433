import { avText, NESTED_OPTIONS, RATE_FUNCTIONS } from '../allowlist/av-text.ts';
import { MUXERS } from '../allowlist/muxers.ts';
import { checkExpression } from '../expression/expression.ts';
import { readDictionary } from './dictionary.ts';
import { badExpression, badValue, quoted, type ValueError } from './value-error.ts';

/** Containers of many files, which are none of a segment. */
const NESTING: ReadonlySet<string> = new Set(['hls', 'dash', 'segment', 'image2']);

/** A slash stands in ratios alone. */
const WORDS = /^(?:[\w.,:+\-=|#@ ]|(?<=\d)\/(?=\d))*$/;
const LINK = /^[\x21-\x7e]*$/;

/**
 * The text of an AVOption called `name`; `key` is what the caller wrote. What a library makes of its keys is checked
 * where the encoder is known.
 */
export function checkAvText(key: string, name: string, value: string): ValueError | undefined {
  switch (avText(name)) {
    case undefined:
      return {
        code: 'OPTION_NOT_ALLOWED',
        message: `"${name}" can name files or addresses, or was not reviewed, so it cannot be sent.`,
        fix: 'Leave it out.',
      };
    case 'words':
      return checkWords(key, value);
    case 'format':
      if (MUXERS.has(value) && !NESTING.has(value)) return undefined;
      return badValue(`"${key}" is a container, and ${quoted(value)} is none that is offered.`, value, {
        names: ['mpegts', 'mp4', 'matroska', 'webm', 'adts', 'mp3'],
      });
    case 'link':
      return LINK.test(value)
        ? undefined
        : badValue(`"${key}" is an address without blanks, and ${quoted(value)} is none.`, value, {});
    case 'expression': {
      const error = checkExpression(value, RATE_FUNCTIONS);
      return error && badExpression(key, value, error);
    }
    case 'nested':
      return checkNested(key, value);
    case 'keys':
    case 'text':
      return undefined;
  }
}

const checkWords = (key: string, value: string): ValueError | undefined =>
  WORDS.test(value)
    ? undefined
    : badValue(`"${key}" is made of words and numbers, and ${quoted(value)} holds something else.`, value, {});

function checkNested(key: string, value: string): ValueError | undefined {
  const pairs = readDictionary(value);
  if (pairs === undefined)
    return badValue(`"${key}" is a list of "option=value" joined by ":", and ${quoted(value)} is none.`, value, {
      shapes: ['movflags=+faststart'],
    });
  for (const [name, held] of pairs) {
    if (!NESTED_OPTIONS.has(name))
      return badValue(`"${key}": the option ${quoted(name)} is not offered here.`, name, { names: NESTED_OPTIONS });
    if (!WORDS.test(held))
      return badValue(`"${key}": "${name}" takes numbers and flags, and ${quoted(held)} is neither.`, held, {});
  }
  return undefined;
}
