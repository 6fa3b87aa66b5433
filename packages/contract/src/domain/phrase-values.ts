import { rounded } from './quantity.ts';

/*
 * Values in the words of a search for a recipe: "gif of seconds 2 to 5" has a start and an end.
 */

/** What a value in a phrase is about. Times are in seconds, sizes in megabytes, rates in kbit/s. */
type ValueKind =
  | 'start'
  | 'end'
  | 'length'
  /** The length of each part: "parts of 10 minutes". */
  | 'partLength'
  | 'every'
  /** A moment: "at 1:20". */
  | 'at'
  | 'megabytes'
  | 'width'
  | 'height'
  | 'fps'
  | 'factor'
  | 'times'
  | 'decibels'
  | 'lufs'
  | 'kbps'
  | 'columns'
  | 'rows';

type Values = { readonly [K in ValueKind]?: number };

/** One value or range of a phrase. */
export interface PhraseValue {
  /** The words of the phrase that say it. */
  readonly text: string;
  readonly values: Values;
}

export type Phrase = readonly PhraseValue[];

const NUMBERS: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, number): [string, number] => [word, number])
    .concat([
      ['fifteen', 15],
      ['twenty', 20],
      ['thirty', 30],
      ['forty', 40],
      ['sixty', 60],
      ['half a', 0.5],
      ['half an', 0.5],
    ]),
);

const DIGITS = String.raw`\d{1,5}(?:[.,]\d{1,3})?`;
const NUMBER = `(?:${DIGITS}|${[...NUMBERS.keys()].toReversed().join('|')})`;
const CLOCK = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?`;
const UNIT = `(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![a-z])`;
const UNIT_WORD = String.raw`\b(?:sec|secs|second|seconds|min|mins|minute|minutes)`;
/** An amount of time: `2.5 s`, `1 min 20 s`. */
const AMOUNTS = `${NUMBER}[ -]?${UNIT}(?: ?(?:and )?${NUMBER} ?${UNIT})?`;
/** A time with its unit: `1:20`, or an amount. */
const TIME = `(?:${CLOCK}|${AMOUNTS})`;
/** A time, or a number alone. */
const ANY_TIME = `(?:${TIME}|${NUMBER})`;
/** Matches if no other unit follows: a number before such a unit is not a time. */
const OTHER_UNIT = String.raw`(?![\w:%]|[.,]\d| ?(?:fps|[kmg]i?b|megs?|gigs?|frames?|times|db|lufs|px|pixels?|lines|x|k|hz|khz|percent)\b)`;
const PARTS = '(?:parts|pieces|chunks|segments|files|slices|clips)';

const expression = (text: string): RegExp => new RegExp(text, 'giu');

const numberIn = (text: string): number => NUMBERS.get(text.toLowerCase()) ?? Number(text.replace(',', '.'));

const SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The seconds of a unit: 60 of `minutes`. */
const secondsOf = (unit: string): number =>
  SECONDS[unit.toLowerCase() === 'ms' ? 'ms' : unit.charAt(0).toLowerCase()] ?? 1;

const AMOUNT = expression(`(${NUMBER})[ -]?(${UNIT})?`);

/** Reads a time in seconds. `unit`: the unit of a number without a unit. */
function timeOf(text: string, unit = 's'): number {
  if (text.includes(':'))
    return rounded(
      text
        .replace(',', '.')
        .split(':')
        .reduce((sum, part) => sum * 60 + Number(part), 0),
      3,
    );
  const amounts = [...text.matchAll(AMOUNT)];
  return rounded(
    amounts.reduce((sum, [, number = '', own]) => sum + numberIn(number) * secondsOf(own ?? unit), 0),
    3,
  );
}

const unitOf = (text: string | undefined): string | undefined =>
  text === undefined || text.includes(':') ? undefined : new RegExp(UNIT, 'iu').exec(text)?.[0];

const isTime = (text: string | undefined): boolean => text?.includes(':') === true || unitOf(text) !== undefined;

type Read = (groups: readonly (string | undefined)[]) => Values | undefined;

const timeAs =
  (...kinds: readonly ('start' | 'end' | 'length' | 'partLength' | 'every' | 'at')[]): Read =>
  ([before, time = '']) => {
    if (before === undefined && !isTime(time)) return undefined;
    const seconds = timeOf(time, before);
    return Object.fromEntries(kinds.map((kind) => [kind, seconds]));
  };

const readRange: Read = ([between, before, first = '', connector = '', second = '']) => {
  if (connector.toLowerCase() === 'and' && between?.toLowerCase() !== 'between') return undefined;
  if (before === undefined && !isTime(first) && !isTime(second)) return undefined;
  const [start, end] = [timeOf(first, before ?? unitOf(second)), timeOf(second, before ?? unitOf(first))];
  return end > start ? { start, end } : undefined;
};

const MEGABYTES: Readonly<Record<string, number>> = { k: 0.001, m: 1, g: 1000 };

const HEIGHTS: ReadonlyMap<string, number> = new Map([
  ['4k', 2160],
  ['uhd', 2160],
  ['fullhd', 1080],
  ['fhd', 1080],
]);

const one =
  (kind: ValueKind): Read =>
  ([number = '']) => ({ [kind]: numberIn(number) });

const readFactor: Read = ([number = '', way]) => {
  const factor = numberIn(number);
  return { factor: way?.toLowerCase().startsWith('slow') === true ? rounded(1 / factor, 3) : factor };
};

/**
 * How values are written, in the order in which they are looked for. The groups of an expression are passed on. Words
 * of a value are not read again. A value of `{}` is recognised, and no recipe has an argument for it.
 */
const FORMS: readonly (readonly [form: RegExp, read: Read])[] = [
  [expression(String.raw`\b(?:from|between)? ?\blast (?:${TIME})`), () => ({})],
  [
    expression(
      String.raw`(?:\b(from|between) )?(?:(${UNIT_WORD}) )?(?<![\w:.,])(${ANY_TIME}) ?(to|until|till|and|through|-|–) ?(?:${UNIT_WORD} )?(${ANY_TIME})${OTHER_UNIT}`,
    ),
    readRange,
  ],
  // "Remove the first 5 seconds": the part that stays starts there.
  [
    expression(
      String.raw`\b(?:remove|delete|skip|drop|omit|without|(?:cut|chop|trim) (?:off|away|out)) the first() (${TIME})`,
    ),
    ([, time = '']) => ({ start: timeOf(time) }),
  ],
  // "Cut the first 5 seconds" may mean both.
  [expression(String.raw`\b(?:cut|trim|shorten) (?:the )?first (?:${TIME})`), () => ({})],
  [
    expression(String.raw`\b(?:the |only the |only )?first (${TIME})`),
    ([time = '']) => ({ start: 0, length: timeOf(time) }),
  ],
  [expression(String.raw`\bfirst (minute)\b`), () => ({ start: 0, length: 60 })],
  [expression(String.raw`\b${PARTS} of() (${TIME})`), timeAs('partLength')],
  [expression(String.raw`()(${TIME})[ -]${PARTS}\b`), timeAs('partLength')],
  [expression(String.raw`\b(?:every|each)() (${TIME})`), timeAs('every')],
  [
    expression(
      String.raw`\b(?:from|starting (?:at|from)|starts? at|begin(?:ning|s)? at|after) (?:(${UNIT_WORD}) )?(${ANY_TIME})(?: on(?:wards?)?\b)?${OTHER_UNIT}`,
    ),
    timeAs('start'),
  ],
  [
    expression(String.raw`\b(?:until|till|up to|end(?:ing|s)? at) (?:(${UNIT_WORD}) )?(${ANY_TIME})${OTHER_UNIT}`),
    timeAs('end'),
  ],
  [expression(String.raw`\bat (?:(${UNIT_WORD}) )?(${ANY_TIME})${OTHER_UNIT}`), timeAs('at')],
  [expression(String.raw`\b(?:for|lasting|lasts|length of|length|duration of|duration)() (${TIME})`), timeAs('length')],
  [expression(String.raw`(?<![\w:.,])()(${AMOUNTS})(?: long\b)?`), timeAs('length')],
  [expression(`(${UNIT_WORD}) (${NUMBER})${OTHER_UNIT}`), timeAs('at')],
  [
    expression(String.raw`(?<![\w.,])(${DIGITS}) ?([kmg])(?:i?b|(?:eg|ig)s?|(?:ilo|ega|iga)bytes?)\b`),
    ([number = '', unit = '']) => ({
      megabytes: Number((numberIn(number) * (MEGABYTES[unit.toLowerCase()] ?? 1)).toPrecision(6)),
    }),
  ],
  [
    expression(String.raw`(?<![\w.,])(\d{2,5}) ?[x×] ?(\d{2,5})(?!\w)`),
    ([width = '', height = '']) => ({ width: Number(width), height: Number(height) }),
  ],
  [
    expression(String.raw`(?<!\w)(?:(\d{3,4})(?:[pi]| lines)|(4k|uhd|full ?hd|fhd))\b`),
    ([lines, name = '']) => ({
      height: lines === undefined ? (HEIGHTS.get(name.toLowerCase().replaceAll(' ', '')) ?? 0) : Number(lines),
    }),
  ],
  [expression(String.raw`\b(\d{2,5}) ?(?:px|pixels?)? (?:wide|in width)\b`), one('width')],
  [expression(String.raw`\b(\d{2,5}) ?(?:px|pixels?)? (?:high|tall|in height)\b`), one('height')],
  [expression(String.raw`\bwidth (?:of )?(\d{2,5})\b`), one('width')],
  [expression(String.raw`\bheight (?:of )?(\d{2,5})\b`), one('height')],
  [
    expression(String.raw`(?<![\w.,])(${NUMBER}) ?(?:fps\b|(?:frames?|pictures?|images?) (?:per|a|each) second\b)`),
    one('fps'),
  ],
  [expression(String.raw`(?<![\w.,])(${DIGITS}) ?x\b(?! ?\d)(?: (slower|faster))?`), readFactor],
  [
    expression(String.raw`\b(${NUMBER}) times (?:as )?(slow(?:er|ly)?|fast(?:er)?|quick(?:er)?|the speed)\b`),
    readFactor,
  ],
  [expression(String.raw`\b(?:twice as fast|(?:at )?double (?:the )?speed)\b`), () => ({ factor: 2 })],
  [expression(String.raw`\b(?:half as fast|(?:at )?half (?:the )?speed)\b`), () => ({ factor: 0.5 })],
  [expression(String.raw`\b(${NUMBER}) times\b`), one('times')],
  [
    expression(String.raw`(?<![\w.,])([-−+]?${DIGITS}) ?db\b(?: (quieter|softer))?`),
    ([number = '', way]) => ({
      decibels: (way === undefined ? 1 : -1) * Number(number.replace('−', '-').replace(',', '.')),
    }),
  ],
  [
    expression(String.raw`(?<![\w.,])([-−]?${DIGITS}) ?lufs\b`),
    ([number = '']) => ({ lufs: -Math.abs(Number(number.replace('−', '-').replace(',', '.'))) }),
  ],
  [expression(String.raw`(?<![\w.,])(\d{1,4}) ?(?:kbps|kbit(?:\/s)?|kb\/s|k)(?![\w/])`), one('kbps')],
  [
    expression(String.raw`(?<![\w.,:])(${NUMBER}) ?(?:x|×|by) ?(${NUMBER})(?![\w:])`),
    ([columns = '', rows = '']) => ({ columns: numberIn(columns), rows: numberIn(rows) }),
  ],
];

/** Replaces words that were read. No form matches it. */
const READ = ' ; ';

/** Reads the values in a phrase. Of several values of one kind, the last one counts: "from 4k to 1080p". Pure. */
export function readPhrase(phrase: string): Phrase {
  // The forms expect single spaces.
  let rest = phrase.replaceAll(/\s+/g, ' ');
  const values: PhraseValue[] = [];
  for (const [form, read] of FORMS)
    rest = rest.replaceAll(form, (text: string, ...more: unknown[]) => {
      // After the groups come the offset and the whole text.
      const found = read(more.slice(0, -2) as (string | undefined)[]);
      if (found === undefined) return text;
      values.push({ text: text.trim(), values: found });
      return READ;
    });
  return values;
}
