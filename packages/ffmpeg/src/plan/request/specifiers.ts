import { languageCode } from '@telecine/contract/domain/transcription.ts';

const TYPE = /^[vVasdt]$/;
const TYPED = /^[vVasdt]:(?=.)/;
const PROGRAM = /^p:\d+$/;
const IN_PROGRAM = /^p:\d+:(?=.)/;
const BY_ID = /^(?:#|i:)(?:\d+|0x[\da-f]+)$/i;
const BY_TAG = /^m:[^:]+(?::.*)?$/;
const INDEX = /^\d+$/;

/** The forms of a stream specifier, for messages (ffmpeg manual, "Stream specifiers"). */
export const STREAM_SPECIFIERS: readonly string[] = [
  'v, V, a, s, d, t',
  'v:0, a:1, … (the Nth stream of a kind)',
  '0, 1, … (the Nth stream)',
  'p:PROGRAM[:…]',
  'i:STREAM_ID',
  'm:KEY[:VALUE]',
  'u',
];

export const METADATA_SPECIFIERS: readonly string[] = ['g', 's[:STREAM]', 'c[:CHAPTER]', 'p[:PROGRAM]'];

/** True for `v`, `a:0`, `p:1:v:2`, `m:language:eng` and similar. */
export function isStreamSpecifier(text: string): boolean {
  let rest = text;
  for (;;) {
    const outer = TYPED.exec(rest) ?? IN_PROGRAM.exec(rest);
    if (outer === null) break;
    rest = rest.slice(outer[0].length);
  }
  return (
    INDEX.test(rest) || TYPE.test(rest) || PROGRAM.test(rest) || BY_ID.test(rest) || BY_TAG.test(rest) || rest === 'u'
  );
}

/** Matches stream specifiers that only ffmpeg 7 and later accept: dispositions, groups, views. */
const NEWER_SPECIFIER = /(?:^|:)(?:disp|g|view|vidx|vpos):/;

/** Matches a tag and its value with "=" between them, as messages show them: `m:language=eng`. A real specifier has a colon there. */
const PAIR_AS_KEY = /(?:^|:)m:[^:=]*=[^:]*$/;

/** True if any release of ffmpeg accepts the text as a stream specifier. */
export const isKnownSpecifier = (text: string): boolean =>
  (isStreamSpecifier(text) && !PAIR_AS_KEY.test(text)) || NEWER_SPECIFIER.test(text);

/** True if `metadata` and `map_metadata` accept the specifier, which selects the file, a stream, a chapter or a program. */
export function isMetadataSpecifier(text: string): boolean {
  if (text === 'g' || text === 's' || /^[cp](?::\d+)?$/.test(text)) return true;
  return text.startsWith('s:') && isStreamSpecifier(text.slice(2));
}

/** The words that people write for kinds of streams, with the letters of the kinds. */
const KINDS: ReadonlyMap<string, string> = new Map(
  ['v video vid', 'a audio aud sound', 's subtitle subs sub', 'd data', 't attachment']
    .map((words) => words.split(' '))
    .flatMap((words) => words.map((word): [string, string] => [word, words[0] ?? ''])),
);

const kindOf = (word: string): string | undefined =>
  KINDS.get(word.toLowerCase()) ?? KINDS.get(word.toLowerCase().slice(0, -1));

const ORDINALS: Readonly<Record<string, string>> = { first: '0', second: '1', third: '2', fourth: '3' };

/** Matches tags that people write without `m:` before them. */
const TAG = /^(?:m:)?(language|lang|title|handler_name)\s*[:=]\s*"?([^\s"?][^"?]*)"?$/i;

/** The specifier that a text means: `a:m:language:eng` for `a:eng`, `a:1` for `audio:1`. Empty: all streams. undefined: unclear. */
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

/** What the text after a kind of stream means: a number in words, a language or a tag. */
function restOf(text: string): string | undefined {
  if (/^(?:\*|all|any)$/i.test(text)) return '';
  const number = ORDINALS[text.toLowerCase()];
  if (number !== undefined) return number;
  const language = languageCode(text);
  if (language !== undefined) return `m:language:${language}`;
  const [, key = '', value = ''] = TAG.exec(text) ?? [];
  if (value === '') return undefined;
  if (!/^lang/i.test(key)) return `m:${key.toLowerCase()}:${value.trim()}`;
  return `m:language:${languageCode(value.trim()) ?? value.trim().toLowerCase()}`;
}

/** The specifiers for the numbers in `a:0-2` or `a:0,2`. undefined: the text has another form. */
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
