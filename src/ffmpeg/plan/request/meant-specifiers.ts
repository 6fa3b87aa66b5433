import { languageCode } from '../../../domain/language-codes.ts';
import { isStreamSpecifier } from './specifiers.ts';

/** Kinds of streams, as people write them, and their letters. */
const KINDS: Readonly<Record<string, string>> = {
  video: 'v',
  vid: 'v',
  v: 'v',
  audio: 'a',
  aud: 'a',
  sound: 'a',
  a: 'a',
  subtitle: 's',
  subs: 's',
  sub: 's',
  s: 's',
  data: 'd',
  d: 'd',
  attachment: 't',
  t: 't',
};

const kindOf = (word: string): string | undefined =>
  KINDS[word.toLowerCase()] ?? KINDS[word.toLowerCase().slice(0, -1)];

const NUMBERS: Readonly<Record<string, string>> = { first: '0', second: '1', third: '2', fourth: '3' };

/** The names of tags that people write without the `m:` before them. */
const TAG = /^(?:m:)?(language|lang|title|handler_name)\s*[:=]\s*"?([^\s"?][^"?]*)"?$/i;

/**
 * The stream specifier that a text means: `a:eng` is `a:m:language:eng`, `audio:1` and `a1` are `a:1`. undefined if it is
 * not clear. An empty text means every stream.
 */
export function meantSpecifier(text: string): string | undefined {
  const meant = meaningOf(text.trim());
  return meant === undefined || (meant !== '' && !isStreamSpecifier(meant)) ? undefined : meant;
}

function meaningOf(text: string): string | undefined {
  const whole = restOf(text);
  if (whole !== undefined) return whole;
  const [, word = '', mark = ''] = /^([A-Za-z]+)\s*([:#.[(]?)/.exec(text) ?? [];
  const after = text.slice(word.length).trimStart().slice(mark.length).trimStart();
  const rest = /[\])]$/.test(after) ? after.slice(0, -1) : after;
  const kind = kindOf(word);
  if (kind === undefined) return undefined;
  if (rest === '') return kind;
  if (/^\d{1,3}$/.test(rest)) return `${kind}:${rest}`;
  const inner = restOf(rest);
  return inner === undefined ? undefined : inner === '' ? kind : `${kind}:${inner}`;
}

/** What follows a kind: its number in words, a language, or a tag. */
function restOf(text: string): string | undefined {
  if (/^(?:\*|all|any)$/i.test(text)) return '';
  const number = NUMBERS[text.toLowerCase()];
  if (number !== undefined) return number;
  const language = languageCode(text);
  if (language !== undefined) return `m:language:${language}`;
  const [, key = '', value = ''] = TAG.exec(text) ?? [];
  if (value === '') return undefined;
  if (!/^lang/i.test(key)) return `m:${key.toLowerCase()}:${value.trim()}`;
  return `m:language:${languageCode(value.trim()) ?? value.trim().toLowerCase()}`;
}

/** The numbers that `a:0-2` and `a:0,2` name, as specifiers. undefined if a text is not of that form. */
export function meantNumbers(text: string): readonly string[] | undefined {
  const [, kind = '', numbers = ''] = /^([vVasdt]):(\d{1,2}(?:[-,]\d{1,2})+)$/.exec(text) ?? [];
  if (kind === '') return undefined;
  const [first = 0, last = 0, ...others] = numbers.split(/[-,]/).map(Number);
  const isRange = numbers.includes('-');
  if (isRange && (others.length > 0 || last <= first || last - first > 15)) return undefined;
  const all = isRange
    ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
    : numbers.split(',').map(Number);
  return all.map((number) => `${kind}:${number}`);
}
